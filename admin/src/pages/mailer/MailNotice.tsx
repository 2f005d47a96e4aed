// One line where mail is not configured, with the way to its settings for those who may change them.

import { useCan, useStart } from "#session/start.ts";
import { TextLink } from "#shell/links.tsx";
import { Notice } from "#ui/Notice.tsx";
import { useWords } from "#words/language.ts";
import { mailerWords } from "#words/mailer.ts";

export function MailNotice() {
  const words = useWords(mailerWords);
  const can = useCan();
  const { site } = useStart();
  if (site.mail) return null;
  return (
    <Notice
      tone="warn"
      action={
        can("update", "admin") && (
          <TextLink to="/admin/settings/$section" params={{ section: "smtp" }}>
            {words.openSettings}
          </TextLink>
        )
      }
    >
      {words.notConfigured}
    </Notice>
  );
}
