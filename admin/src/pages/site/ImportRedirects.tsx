// Many redirects at once, from a file or as lines: tried first if wanted, with what is wrong by line.

import type { RedirectImport } from "@contract/redirects.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { Problem } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { siteWords } from "#words/site.ts";
import css from "./site.module.css";
import { importRedirects } from "./site-calls.ts";

const shownErrors = 50;

export function ImportRedirects({ onClose }: { onClose: () => void }) {
  const words = useWords(siteWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [skipErrors, setSkipErrors] = useState(false);
  const [problem, setProblem] = useState("");
  const running = useMutation({
    mutationFn: (dryRun: boolean) => importRedirects(text, { dryRun, skipErrors }),
    onSuccess: ({ isDryRun, created, updated }) => {
      if (isDryRun) return;
      onClose();
      toast.good(words.did(created, updated));
      void client.invalidateQueries({ queryKey: ["site"] });
    },
  });
  const run = (dryRun: boolean) => {
    setProblem(text.trim() === "" ? words.nothingToImport : "");
    if (text.trim() !== "" && !running.isPending) running.mutate(dryRun);
  };
  const take = async (file: File | undefined) => {
    if (file) setText(await file.text());
    running.reset();
  };
  const isTrying = running.variables === true;
  return (
    <Dialog
      title={words.importTitle}
      onClose={onClose}
      onSubmit={() => run(false)}
      isDirty={text !== ""}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button onPress={() => run(true)} isPending={running.isPending && isTrying}>
            {words.tryIt}
          </Button>
          <Button variant="primary" type="submit" isPending={running.isPending && !isTrying}>
            {words.runImport}
          </Button>
        </>
      )}
    >
      <div className={css.form}>
        <div>
          <Button icon={FileUp} onPress={() => input.current?.click()}>
            {words.chooseFile}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            accept=".csv,.txt,text/csv,text/plain,_redirects"
            onChange={(event) => {
              void take(event.target.files?.[0]);
              event.target.value = "";
            }}
          />
        </div>
        <TextArea
          label={words.importText}
          description={words.importHelp}
          value={text}
          onChange={setText}
          error={problem}
          rows={8}
          isMono
          spellCheck={false}
        />
        <Checkbox label={words.skipErrors} isSelected={skipErrors} onChange={setSkipErrors} />
        <Result error={running.error} report={running.data} />
      </div>
    </Dialog>
  );
}

function Result({ error, report }: { error: unknown; report: RedirectImport | undefined }) {
  const words = useWords(siteWords);
  // Wrong lines are details of the refusal: "line 3" and what is wrong with it.
  const refused = error instanceof ApiError ? Object.entries(error.details) : [];
  const wrong = report
    ? report.errors.map(({ line, message }): [string, string] => [words.line(line), message])
    : refused.map(([line, texts]): [string, string] => [line, texts.join(". ")]);
  if (!report && !error) return null;
  return (
    <section className={css.result} aria-label={words.result} role="status">
      {error !== null && error !== undefined && <Problem error={error} />}
      {report && (
        <Notice tone={report.errors.length > 0 ? "warn" : "good"}>
          {words.wouldDo(report.created, report.updated, report.unchanged)}
        </Notice>
      )}
      {wrong.length > 0 && (
        <>
          <p>{words.wrongLines(wrong.length)}</p>
          <ul className={css.wrong}>
            {wrong.slice(0, shownErrors).map(([line, message]) => (
              <li key={line}>
                <strong>{line}</strong>: {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
