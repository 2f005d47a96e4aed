// Single mails with their state and the reason where they were not sent; those that can be are sent again.

import type { MailEntry, MailStatus } from "@contract/mail.ts";
import { useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleMinus, CircleX, Clock, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError } from "#api/api-error.ts";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import { errorText } from "#shell/LoadState.tsx";
import { TextLink } from "#shell/links.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formatAgo, formatDateTime, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { mailerWords } from "#words/mailer.ts";
import { refreshMails } from "./mail-calls.ts";
import css from "./mailer.module.css";

const looks = {
  queued: { tone: "info", icon: Clock },
  sent: { tone: "good", icon: CircleCheck },
  failed: { tone: "bad", icon: CircleX },
  skipped: { tone: "warn", icon: CircleMinus },
} as const satisfies Record<MailStatus, unknown>;

interface Props {
  mails: MailEntry[];
  empty?: ReactNode;
  footer?: ReactNode;
}

export function MailLog({ mails, empty, footer }: Props) {
  const words = useWords(mailerWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const nameOf = ({ mailer, to, object }: MailEntry) => words.mailOf(mailer, to || object || words.hiddenTo);
  const retry = async (mail: MailEntry) => {
    try {
      await askData(routes.retryMail, { path: { mail: mail.id } });
      toast.good(words.retried);
    } catch (error) {
      const details = error instanceof ApiError ? Object.values(error.details).flat() : [];
      toast.bad([errorText(error, common).text, ...details].join(" "));
    }
    await refreshMails(queries);
  };
  return (
    <RecordGrid
      label={words.log}
      rows={mails}
      idOf={({ id }) => id}
      nameOf={nameOf}
      columns={[
        {
          id: "mail",
          label: words.mail,
          cell: ({ mailer }) => (
            <TextLink to="/admin/mailer/$id" params={{ id: mailer }}>
              {mailer}
            </TextLink>
          ),
        },
        {
          id: "to",
          label: words.to,
          cell: ({ to }) => to !== "" && <span className={css.wrap}>{to}</span>,
        },
        {
          id: "state",
          label: words.state,
          cell: ({ status }) => <Badge {...looks[status]}>{words.states[status]}</Badge>,
        },
        {
          id: "reason",
          label: words.reason,
          cell: ({ error }) => error !== null && <span className={css.wrap}>{error}</span>,
        },
        {
          id: "about",
          label: words.about,
          cell: ({ collection, object }) =>
            collection !== null &&
            object !== null && (
              <TextLink to="/admin/collections/$collection/$id" params={{ collection, id: object }}>
                {object}
              </TextLink>
            ),
        },
        { id: "attempts", label: words.attempts, align: "end", cell: ({ attempts }) => formatNumber(attempts) },
        {
          id: "when",
          label: words.when,
          cell: ({ finished, scheduledAt, created }) => {
            const time = finished ?? scheduledAt ?? created;
            return <span title={formatDateTime(time)}>{formatAgo(time)}</span>;
          },
        },
        {
          id: "retry",
          label: words.retry,
          isLabelHidden: true,
          cell: (mail) =>
            mail.canRetry && (
              <Button
                icon={RotateCw}
                variant="quiet"
                aria-label={words.retryOf(nameOf(mail))}
                onPress={() => void retry(mail)}
              >
                {words.retry}
              </Button>
            ),
        },
      ]}
      empty={empty}
      footer={footer}
    />
  );
}
