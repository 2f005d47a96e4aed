// A test to one address, and the mail itself to one recipient. What is stored is sent.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useFormScope, useSummary } from "#form/form-context.ts";
import type { ShownObject } from "#pages/objects/object-pages.ts";
import { Problem } from "#shell/LoadState.tsx";
import { MailTestDialog } from "#shell/MailTestDialog.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import layout from "#ui/layout.module.css";
import { Notice } from "#ui/Notice.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { mailerWords } from "#words/mailer.ts";
import { AboutFields } from "./AboutFields.tsx";
import { bodyOf, useAbout } from "./about-object.ts";
import { refreshMails } from "./mail-calls.ts";
import { mailOf } from "./mail-values.ts";
import { Envelope, Problems, useMailPreview } from "./PreviewDialog.tsx";

interface Props {
  mail: ShownObject;
  onClose: () => void;
}

/** What is typed and not saved is not in what is sent. */
export function UnsavedNotice() {
  const words = useWords(mailerWords);
  const { store } = useFormScope();
  const { dirty } = useSummary(store);
  return dirty.length > 0 && <Notice tone="warn">{words.unsaved(dirty.length)}</Notice>;
}

export function TestDialog({ mail, onClose }: Props) {
  const words = useWords(mailerWords);
  const { about, setAbout } = useAbout(String(mail.stored.bulkCollection ?? ""));
  return (
    <MailTestDialog
      title={words.sendTest}
      words={words}
      send={(to) => askData(routes.testMail, { path: { id: mail.id }, body: { to, ...bodyOf(about) } })}
      onClose={onClose}
      notice={<UnsavedNotice />}
      showError={(error) => <RefusedMail error={error} />}
    >
      <AboutFields about={about} onChange={setAbout} />
    </MailTestDialog>
  );
}

/** Why the mail cannot be composed, by property; or what the server says. */
function RefusedMail({ error }: { error: unknown }) {
  const details = error instanceof ApiError ? error.details : {};
  return Object.keys(details).length > 0 ? <Problems problems={details} /> : <Problem error={error} />;
}

export function SendDialog({ mail, onClose }: Props) {
  const words = useWords(mailerWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const { about, setAbout } = useAbout(String(mail.stored.bulkCollection ?? ""));
  const [stored] = useState(() => mailOf(mail.stored));
  const preview = useMailPreview(stored, bodyOf(about));
  const send = useMutation({
    mutationFn: () => askData<{ to: string[] }>(routes.sendMail, { path: { id: mail.id }, body: bodyOf(about) }),
    onSuccess: ({ to }) => {
      toast.good(words.sent(to.join(", ")));
      onClose();
      void refreshMails(queries);
    },
  });
  const problems = preview.data?.problems ?? {};
  const isReady = preview.data !== undefined && Object.keys(problems).length === 0;
  return (
    <Dialog
      title={words.sendTitle(mail.title)}
      onClose={onClose}
      onSubmit={() => isReady && send.mutate()}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button type="submit" variant="primary" isDisabled={!isReady} isPending={send.isPending}>
            {words.send}
          </Button>
        </>
      )}
    >
      <div className={layout.stack}>
        <p>{words.sendText}</p>
        <UnsavedNotice />
        <AboutFields about={about} onChange={setAbout} />
        {preview.error && <Problem error={preview.error} />}
        <Problems problems={problems} />
        {preview.data && isReady && <Envelope preview={preview.data} />}
        {send.error && <RefusedMail error={send.error} />}
      </div>
    </Dialog>
  );
}
