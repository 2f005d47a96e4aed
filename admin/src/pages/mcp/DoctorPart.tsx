// Examines an endpoint from the server, and shows each finding with what to do about it.

import type { DoctorCheck, DoctorReport } from "@contract/mcp.ts";
import { CircleAlert, CircleCheck, CircleMinus, type LucideIcon, Stethoscope, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { Part } from "#pages/profile/Part.tsx";
import { useCommand } from "#session/commands.ts";
import { Problem } from "#shell/LoadState.tsx";
import { Badge, type Tone } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { useWords } from "#words/language.ts";
import { mcpWords } from "#words/mcp.ts";
import styles from "./McpPage.module.css";

export function DoctorPart({ endpoint }: { endpoint: string }) {
  const words = useWords(mcpWords);
  const [url, setUrl] = useState(endpoint);
  const [isPending, setIsPending] = useState(false);
  const [report, setReport] = useState<DoctorReport>();
  const [refusal, setRefusal] = useState<unknown>();
  const error = refusal instanceof ApiError ? refusal.details.url?.join(" ") : undefined;
  const run = async () => {
    if (isPending) return;
    setIsPending(true);
    setRefusal(undefined);
    try {
      setReport(await askData<DoctorReport>(routes.mcpDoctor, { body: { url: url.trim() } }));
    } catch (failure) {
      setReport(undefined);
      setRefusal(failure);
    }
    setIsPending(false);
  };
  useCommand({ id: "mcp-doctor", label: words.runDoctor, run: () => void run() });
  return (
    <Part title={words.doctor} text={words.doctorText}>
      <form
        className={styles.doctor}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <TextInput
          label={words.address}
          description={words.doctorHelp}
          value={url}
          onChange={setUrl}
          type="url"
          isMono
          error={error}
          autoComplete="off"
        />
        <Button type="submit" icon={Stethoscope} isPending={isPending}>
          {words.runDoctor}
        </Button>
      </form>
      {refusal !== undefined && error === undefined && <Problem error={refusal} />}
      <section aria-label={words.result} aria-live="polite" aria-busy={isPending}>
        {report && <Report report={report} />}
      </section>
    </Part>
  );
}

const looks: Record<DoctorCheck["result"], { tone: Tone; icon: LucideIcon }> = {
  pass: { tone: "good", icon: CircleCheck },
  warn: { tone: "warn", icon: TriangleAlert },
  fail: { tone: "bad", icon: CircleAlert },
  skip: { tone: "neutral", icon: CircleMinus },
};

function Report({ report: { isWell, checks } }: { report: DoctorReport }) {
  const words = useWords(mcpWords);
  return (
    <div className={styles.report}>
      <Notice tone={isWell ? "good" : "bad"}>{isWell ? words.well : words.unwell}</Notice>
      <ul className={styles.checks} aria-label={words.checks}>
        {checks.map(({ check, result, message, fix }) => (
          <li key={check}>
            <Badge {...looks[result]}>{words.results[result]}</Badge>
            <div>
              <p>
                <strong>{check}</strong> {message}
              </p>
              {fix !== undefined && <p className={styles.text}>{fix}</p>}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
