// What became of a mail: its batches, and the last mails of the log.

import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { TextLink } from "#shell/links.tsx";
import layout from "#ui/layout.module.css";
import { useWords } from "#words/language.ts";
import { mailerWords } from "#words/mailer.ts";
import { Batches } from "./Batches.tsx";
import { MailLog } from "./MailLog.tsx";
import { batchesQuery, logQuery } from "./mail-calls.ts";

const shown = 10;

export function SentPart({ mailer }: { mailer: string }) {
  const words = useWords(mailerWords);
  const heading = useId();
  const batches = useQuery(batchesQuery(mailer, shown));
  const log = useQuery(logQuery({ mailer }, shown));
  if (!batches.data?.total && !log.data?.total) return null;
  return (
    <section aria-labelledby={heading} className={layout.part}>
      <h2 id={heading} className={layout.title}>
        {words.sentSoFar}
      </h2>
      {batches.data && batches.data.total > 0 && <Batches batches={batches.data.rows} />}
      {log.data && (
        <MailLog
          mails={log.data.rows}
          footer={
            <TextLink to="/admin/mailer/-log" search={{ mail: mailer }}>
              {words.allOfLog} ({words.logCount(log.data.total)})
            </TextLink>
          }
        />
      )}
    </section>
  );
}
