// All mails: templates that people, automations and scripts send.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Mail as MailIcon, Plus, ScrollText } from "lucide-react";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import { useCommand } from "#session/commands.ts";
import { useCan, useCollection } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton, TextLink } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { useSwitched } from "#shell/use-switched.ts";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import layout from "#ui/layout.module.css";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Switch } from "#ui/Switch.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { commonWords } from "#words/common.ts";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { mailerWords } from "#words/mailer.ts";
import { shellWords } from "#words/shell.ts";
import { MailNotice } from "./MailNotice.tsx";
import { type Mail, mailerCollection, mailsQuery } from "./mail-calls.ts";
import css from "./mailer.module.css";

const objects = { objects: mailerCollection };

export function MailerPage() {
  const words = useWords(mailerWords);
  const { run } = useWords(shellWords);
  const can = useCan();
  const navigate = useNavigate();
  const isThere = useCollection(mailerCollection) !== undefined;
  const mayCreate = isThere && can("create", objects);
  const [pages, setPages] = useState(1);
  const mails = useQuery({ ...mailsQuery(pages), enabled: isThere });
  const isSlow = useDelayed(mails.isPending, 300);
  useCommand(
    mayCreate
      ? { id: "new-mail", label: words.newMail, run: () => void navigate({ to: "/admin/mailer/-new" }) }
      : undefined,
  );
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: run }]}
      needs={isThere}
      isBusy={mails.isPending}
      actions={
        <>
          <LinkButton to="/admin/mailer/-log" icon={ScrollText}>
            {words.log}
          </LinkButton>
          {mayCreate && (
            <LinkButton to="/admin/mailer/-new" variant="primary" icon={Plus}>
              {words.newMail}
            </LinkButton>
          )}
        </>
      }
    >
      <div className={layout.stack}>
        <MailNotice />
        {mails.data ? (
          <MailList mails={mails.data.rows} total={mails.data.total} onMore={() => setPages((before) => before + 1)} />
        ) : mails.isError ? (
          <Failed error={mails.error} onRetry={() => void mails.refetch()} />
        ) : (
          isSlow && <Skeleton height="12rem" />
        )}
      </div>
    </Page>
  );
}

function MailList({ mails, total, onMore }: { mails: Mail[]; total: number; onMore: () => void }) {
  const common = useWords(commonWords);
  const words = useWords(mailerWords);
  const can = useCan();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const switches = useSwitched({
    save: (id, active) => askData(routes.patchObject, { path: { collection: mailerCollection, id }, body: { active } }),
    said: (isOn) => (isOn ? words.switchedOn : words.switchedOff),
    refresh: () => queries.invalidateQueries({ queryKey: ["objects", mailerCollection] }),
  });
  const titleOf = ({ name, id }: Mail) => name || id;
  return (
    <RecordGrid
      label={words.mails}
      rows={mails}
      idOf={({ id }) => id}
      nameOf={titleOf}
      columns={[
        {
          id: "name",
          label: words.name,
          sortBy: titleOf,
          cell: (mail) => (
            <TextLink to="/admin/mailer/$id" params={{ id: mail.id }}>
              {titleOf(mail)}
            </TextLink>
          ),
        },
        { id: "subject", label: words.subject, cell: ({ subject }) => <span className={css.wrap}>{subject}</span> },
        { id: "category", label: words.category, sortBy: ({ category }) => category, cell: ({ category }) => category },
        {
          id: "updated",
          label: words.updated,
          sortBy: ({ updated }) => updated,
          cell: ({ updated }) => updated !== "" && <span title={formatDateTime(updated)}>{formatAgo(updated)}</span>,
        },
        {
          id: "active",
          label: words.active,
          width: "6rem",
          cell: (mail) => (
            <Switch
              label={words.activeOf(titleOf(mail))}
              isLabelHidden
              isSelected={switches.isOn(mail.id, mail.active)}
              isDisabled={!can("update", objects)}
              onChange={(isOn) => void switches.set(mail.id, isOn)}
            />
          ),
        },
      ]}
      actions={(mail) => [
        {
          id: "open",
          label: words.open,
          icon: MailIcon,
          onAction: () => void navigate({ to: "/admin/mailer/$id", params: { id: mail.id } }),
        },
        {
          id: "log",
          label: words.log,
          icon: ScrollText,
          onAction: () => void navigate({ to: "/admin/mailer/-log", search: { mail: mail.id } }),
        },
      ]}
      actionsLabel={words.actionsFor}
      empty={
        <EmptyState
          title={words.emptyTitle}
          text={words.emptyText}
          action={
            can("create", objects) && (
              <LinkButton to="/admin/mailer/-new" icon={Plus}>
                {common.makeFirst}
              </LinkButton>
            )
          }
        />
      }
      footer={total > mails.length && <Button onPress={onMore}>{words.older}</Button>}
    />
  );
}
