// A mail to every object of a collection: who gets it and who does not is shown first, then it is asked, then it is sent.

import type { JsonObject } from "@contract/json.ts";
import type { BulkPreview } from "@contract/mail.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { ShownObject } from "#pages/objects/object-pages.ts";
import { useStart } from "#session/start.ts";
import { Problem } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { DateInput } from "#ui/DateInput.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import layout from "#ui/layout.module.css";
import { Notice } from "#ui/Notice.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formatDateTime, formatList, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { mailerWords } from "#words/mailer.ts";
import { CollectionSelect } from "./AboutFields.tsx";
import { refreshMails } from "./mail-calls.ts";
import css from "./mailer.module.css";
import { UnsavedNotice } from "./SendDialogs.tsx";

interface Props {
  mail: ShownObject;
  onClose: () => void;
}

/** More recipients than this are confirmed by typing their number. */
const typedFrom = 10;

export function BulkDialog({ mail, onClose }: Props) {
  const words = useWords(mailerWords);
  const common = useWords(commonWords);
  const { site } = useStart();
  const queries = useQueryClient();
  const stored = (name: string) => String(mail.stored[name] ?? "");
  const [choice, setChoice] = useState({
    collection: stored("bulkCollection"),
    include: stored("bulkInclude"),
    exclude: stored("bulkExclude"),
    overrideTo: "",
    resend: false,
    scheduledAt: "",
  });
  const [isAsking, setIsAsking] = useState(false);
  const { scheduledAt, ...chosen } = choice;
  const body: JsonObject = {
    ...chosen,
    overrideTo: choice.overrideTo.trim(),
    ...(scheduledAt !== "" && { scheduledAt }),
  };
  const path = { id: mail.id };

  const count = useMutation({
    mutationFn: () => askData<BulkPreview>(routes.previewBulkMail, { path, body: { ...body, look: true } }),
  });
  const send = useMutation({
    mutationFn: (expect: number) => askData(routes.sendBulkMail, { path, body: { ...body, expect } }),
    onSuccess: () => {
      toast.good(scheduledAt === "" ? words.batchStarted : words.batchScheduled(formatDateTime(scheduledAt)));
      onClose();
      void refreshMails(queries);
    },
    onError: (error) => {
      // Somebody has to look at the new number first.
      if (error instanceof ApiError && error.status === 412) count.mutate();
      setIsAsking(false);
    },
  });
  /** What was counted holds for what was chosen then. */
  const choose = (change: Partial<typeof choice>) => {
    setChoice((before) => ({ ...before, ...change }));
    count.reset();
    send.reset();
  };
  const details = count.error instanceof ApiError ? count.error.details : {};
  const errorOf = (name: string) => details[name]?.join(". ");
  const recipients = count.data ? recipientsOf(count.data) : 0;
  if (site.edition !== "pro")
    return (
      <Dialog
        title={words.bulkTitle(mail.title)}
        onClose={onClose}
        footer={<Button onPress={onClose}>{common.close}</Button>}
      >
        <p>{words.bulkNeedsPro(site.edition)}</p>
      </Dialog>
    );
  const text = (name: "include" | "exclude" | "overrideTo", label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      value={choice[name]}
      onChange={(value) => choose({ [name]: value })}
      error={errorOf(name)}
      autoComplete="off"
      spellCheck={false}
      isMono={name !== "overrideTo"}
    />
  );
  return (
    <>
      <Dialog
        title={words.bulkTitle(mail.title)}
        size="large"
        onClose={onClose}
        onSubmit={() => count.mutate()}
        footer={(close) => (
          <>
            <Button onPress={close}>{common.cancel}</Button>
            {count.data && recipients > 0 ? (
              <Button variant="primary" isDisabled={isPast(scheduledAt)} onPress={() => setIsAsking(true)}>
                {scheduledAt === "" ? words.sendCount(recipients) : words.scheduleCount(recipients)}
              </Button>
            ) : (
              <Button type="submit" variant="primary" isPending={count.isPending}>
                {words.count}
              </Button>
            )}
          </>
        )}
      >
        <div className={layout.stack}>
          <UnsavedNotice />
          <CollectionSelect value={choice.collection} onChange={(collection) => choose({ collection })} />
          {errorOf("collection") && <p className={layout.bad}>{errorOf("collection")}</p>}
          <div className={css.pair}>
            {text("include", words.include, words.includeHelp)}
            {text("exclude", words.exclude, words.excludeHelp)}
          </div>
          <Checkbox label={words.resend} isSelected={choice.resend} onChange={(resend) => choose({ resend })} />
          {text("overrideTo", words.overrideTo, words.overrideHelp)}
          <DateInput
            label={words.sendAt}
            description={words.sendAtHelp(site.timezone)}
            value={scheduledAt}
            onChange={(time) => setChoice((before) => ({ ...before, scheduledAt: time }))}
            timezone={site.timezone}
            error={errorOf("scheduledAt") ?? (isPast(scheduledAt) ? words.sendAtPast : undefined)}
          />
          {count.error && Object.keys(details).length === 0 && <Problem error={count.error} />}
          {send.error && <Problem error={send.error} />}
          <div role="status">{count.data && <Counted preview={count.data} />}</div>
        </div>
      </Dialog>
      {isAsking && count.data && (
        <ConfirmDialog
          title={words.confirmTitle(recipients)}
          text={scheduledAt === "" ? words.confirmText : words.confirmScheduled(formatDateTime(scheduledAt))}
          confirmLabel={scheduledAt === "" ? words.sendCount(recipients) : words.scheduleCount(recipients)}
          {...(recipients > typedFrom && {
            typed: {
              label: words.typeCount(formatNumber(recipients)),
              value: String(recipients),
              also: formatNumber(recipients),
            },
          })}
          isPending={send.isPending}
          onConfirm={() => send.mutate(count.data.total)}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

function isPast(time: string): boolean {
  return time !== "" && Date.parse(time) < Date.now();
}

/** Objects whose mail is known not to be composed are left out as well as those that had it. */
function recipientsOf({ total, look }: BulkPreview): number {
  return total - leftOutOf(look);
}

function leftOutOf(look: BulkPreview["look"]): number {
  return look ? look.had + look.unfit : 0;
}

function Counted({ preview }: { preview: BulkPreview }) {
  const words = useWords(mailerWords);
  const { total, mails, look } = preview;
  const leftOut = leftOutOf(look);
  const recipients = total - leftOut;
  const isAll = look !== undefined && look.composed + look.had >= total;
  const sentence = [
    isAll ? words.getIt(recipients) : words.getItAtMost(recipients),
    leftOut === 0 ? words.noneLeftOut : words.leftOut(leftOut),
  ];
  return (
    <section className={css.result} aria-label={words.result}>
      <p className={css.strong}>
        {words.matching(total)} {capital(sentence.join(", "))}.
      </p>
      {look && !isAll && <p className={layout.quiet}>{words.composedSome(look.composed)}</p>}
      {recipients === 0 && <Notice tone="warn">{words.nobodyLeft}</Notice>}
      {mails.length > 0 && (
        <div>
          <h3 className={layout.label}>{words.firstMails}</h3>
          <ul className={css.list}>
            {mails.map(({ object, to, subject }) => (
              <li key={object}>
                {formatList(to)}: {subject}
              </li>
            ))}
          </ul>
        </div>
      )}
      {look && look.leftOut.length > 0 && (
        <div>
          <h3 className={layout.label}>{words.whoLeftOut}</h3>
          <ul className={css.list}>
            {look.leftOut.map(({ object, reason }) => (
              <li key={object}>
                <code>{object}</code>: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
