// Import of a definition, tried first if wanted; and the demo site, which ships with the service.

import type { ImportReport } from "@contract/transfer.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FileText, Upload, X } from "lucide-react";
import { useId, useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { errorText } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Icon } from "#ui/Icon.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import layout from "#ui/layout.module.css";
import { Notice } from "#ui/Notice.tsx";
import { Progress } from "#ui/Progress.tsx";
import { Slab } from "#ui/Slab.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formatBytes } from "#words/format.ts";
import { jumpstartWords } from "#words/jumpstart.ts";
import { useWords } from "#words/language.ts";
import css from "./jumpstart.module.css";
import { Report } from "./Report.tsx";

interface Run {
  /** undefined: the demo. */
  file: File | undefined;
  overwrite: boolean;
  dryRun: boolean;
}

export function ImportPart() {
  const words = useWords(jumpstartWords);
  const client = useQueryClient();
  const heading = useId();
  const demoHeading = useId();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [overwrite, setOverwrite] = useState(false);
  const [problem, setProblem] = useState("");
  const run = useMutation({
    mutationFn: ({ file: sent, overwrite: replaces, dryRun }: Run) =>
      askData<ImportReport>(routes.importJumpstart, {
        query: {
          ...(!sent && { demo: true }),
          ...(replaces && { overwrite: "1" }),
          ...(dryRun && { dryRun: true }),
        },
        ...(sent && { file: { content: sent, type: "application/json" } }),
      }),
    onSuccess: ({ created, updated, dryRun }) => {
      if (dryRun) return;
      toast.good(words.imported(created.length + updated.length));
      void client.invalidateQueries();
    },
  });
  const asked = run.variables;
  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    const isJson = /\.json$/i.test(chosen.name);
    setFile(isJson ? chosen : undefined);
    setProblem(isJson ? "" : words.wrongFile(chosen.name));
    run.reset();
  };
  const start = (dryRun: boolean) => {
    if (file) run.mutate({ file, overwrite, dryRun });
    else setProblem(words.noFile);
  };
  const isDemo = asked !== undefined && asked.file === undefined;
  const isPending = (wants: Partial<Run>, ofDemo: boolean) =>
    run.isPending && isDemo === ofDemo && (wants.dryRun === undefined || asked?.dryRun === wants.dryRun);
  return (
    <>
      <Slab as="section" aria-labelledby={heading} className={css.slab}>
        <h2 id={heading} className={layout.title}>
          {words.importTitle}
        </h2>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the button within does the same */}
        <div
          className={layout.drop}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            choose(event.dataTransfer.files[0]);
          }}
        >
          {file ? (
            <p className={layout.file}>
              <Icon of={FileText} size={20} />
              <span className={layout.fileName}>{file.name}</span>
              <span className={layout.quiet}>{formatBytes(file.size)}</span>
              <IconButton label={words.removeFile} icon={X} isSmall onPress={() => setFile(undefined)} />
            </p>
          ) : (
            <p>{words.drop}</p>
          )}
          <Button onPress={() => input.current?.click()}>{words.chooseFile}</Button>
          <input
            ref={input}
            type="file"
            hidden
            accept=".json,application/json"
            onChange={(event) => {
              choose(event.target.files?.[0]);
              // The same file again is a choice, too: it may have been changed.
              event.target.value = "";
            }}
          />
          <p className={layout.quiet}>{words.fileHelp}</p>
          {problem !== "" && (
            <p role="alert" className={layout.bad}>
              {problem}
            </p>
          )}
        </div>
        <Checkbox
          label={words.overwrite}
          description={words.overwriteHelp}
          isSelected={overwrite}
          onChange={(next) => {
            setOverwrite(next);
            run.reset();
          }}
        />
        <div className={layout.row}>
          <Button isPending={isPending({ dryRun: true }, false)} onPress={() => start(true)}>
            {words.tryIt}
          </Button>
          <Button
            variant="primary"
            icon={Upload}
            isPending={isPending({ dryRun: false }, false)}
            onPress={() => start(false)}
          >
            {words.import}
          </Button>
        </div>
        {isPending({}, false) && <Progress label={asked?.dryRun ? words.trying : words.importing} />}
        {!isDemo && <Outcome report={run.data} error={run.error} />}
      </Slab>
      <Slab as="section" aria-labelledby={demoHeading} className={css.slab}>
        <h2 id={demoHeading} className={layout.title}>
          {words.demoTitle}
        </h2>
        <p>{words.demoText}</p>
        <div className={layout.row}>
          <Button
            isPending={isPending({}, true)}
            onPress={() => run.mutate({ file: undefined, overwrite: false, dryRun: false })}
          >
            {words.loadDemo}
          </Button>
        </div>
        {isPending({}, true) && <Progress label={words.loadingDemo} />}
        {isDemo && <Outcome report={run.data} error={run.error} />}
      </Slab>
    </>
  );
}

function Outcome({ report, error }: { report: ImportReport | undefined; error: Error | null }) {
  return (
    <>
      {report && <Report report={report} />}
      {error && <Refusal error={error} />}
    </>
  );
}

const shownDetails = 20;

/** Each mistake with its place in the definition. */
function Refusal({ error }: { error: Error }) {
  const words = useWords(jumpstartWords);
  const common = useWords(commonWords);
  const { text, requestId } = errorText(error, common);
  const details = Object.entries(error instanceof ApiError ? error.details : {});
  return (
    <div role="alert">
      <Notice tone="bad" title={words.refused}>
        <p>{text}</p>
        {details.length > 0 && (
          <ul className={css.details}>
            {details.slice(0, shownDetails).map(([place, messages]) => (
              <li key={place}>
                <code>{place}</code> {messages.join(", ")}
              </li>
            ))}
            {details.length > shownDetails && <li>{words.more(details.length - shownDetails)}</li>}
          </ul>
        )}
        {requestId !== "" && <p className={layout.quiet}>{common.requestId(requestId)}</p>}
      </Notice>
    </div>
  );
}
