// Import into a collection: a file, a dry run that shows what would happen, the import, and what was refused.

import type { AdminCollection } from "@contract/admin.ts";
import { useParams } from "@tanstack/react-router";
import { FileText, Upload, X } from "lucide-react";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { useCrumbs } from "#pages/collections/crumbs.ts";
import { useCan, useCollection } from "#session/start.ts";
import { errorText } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
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
import { useWords } from "#words/language.ts";
import { transferWords } from "#words/transfer.ts";
import { accepted, kindOfFile } from "./file-kind.ts";
import { ImportResultView } from "./ImportResultView.tsx";
import { useRowsDone, useRuns } from "./use-import.ts";

export function ImportPage() {
  const { collection: id = "" } = useParams({ strict: false });
  const collection = useCollection(id);
  const can = useCan();
  const objects = { objects: id };
  if (!collection || !(can("create", objects) || can("update", objects))) return <Page title={id} needs={false} />;
  return <Import key={id} collection={collection} />;
}

function Import({ collection }: { collection: AdminCollection }) {
  const { id, name } = collection;
  const words = useWords(transferWords);
  const common = useWords(commonWords);
  const can = useCan();
  const mayCreate = can("create", { objects: id });
  const mayUpdate = can("update", { objects: id });
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState("");
  const [isUpdate, setIsUpdate] = useState(!mayCreate);
  const runs = useRuns("import", id);
  const { isRunning, isDry, result, error } = runs;
  const rowsDone = useRowsDone(id, runs);
  useWarning(isRunning && !isDry);

  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    const isKnown = kindOfFile(chosen.name) !== undefined;
    setFile(isKnown ? chosen : undefined);
    setProblem(isKnown ? "" : words.wrongFile(chosen.name));
    runs.clear();
  };
  const start = (isTrial: boolean) => {
    const kind = file && kindOfFile(file.name);
    if (!file || !kind) {
      setProblem(words.noFile);
      return;
    }
    runs.clear();
    runs.start({
      route: kind.route,
      query: { update: isUpdate || undefined },
      send: { file: { content: file, type: kind.type } },
      isDry: isTrial,
      onStored: ({ import_count: count }) => toast.good(words.imported(count, name)),
      onFailed: () => toast.bad(words.notImported(name)),
    });
  };
  const failure = error ? errorText(error, common) : undefined;
  return (
    <Page title={words.importTitle(name)} breadcrumbs={useCrumbs(collection)}>
      <div className={layout.page}>
        <Slab className={layout.slab}>
          <Chooser
            file={file}
            problem={problem}
            isDisabled={isRunning}
            onChoose={choose}
            onRemove={() => setFile(undefined)}
          />
          {mayCreate && mayUpdate ? (
            <Checkbox
              label={words.changeExisting}
              description={words.changeExistingHelp}
              isSelected={isUpdate}
              isDisabled={isRunning}
              onChange={(next) => {
                setIsUpdate(next);
                runs.clear();
              }}
            />
          ) : (
            mayUpdate && <p className={layout.quiet}>{words.onlyChanges}</p>
          )}
          <div className={layout.row}>
            <Button isPending={isRunning && isDry} isDisabled={isRunning && !isDry} onPress={() => start(true)}>
              {words.tryIt}
            </Button>
            <Button
              variant="primary"
              icon={Upload}
              isPending={isRunning && !isDry}
              isDisabled={isRunning && isDry}
              onPress={() => start(false)}
            >
              {words.importNow}
            </Button>
          </div>
          {isRunning && (
            <>
              <Progress
                label={isDry ? words.trying : words.importing}
                {...(rowsDone !== undefined && { detail: words.rowsDone(rowsDone) })}
              />
              {!isDry && <p className={layout.quiet}>{words.goesOn}</p>}
            </>
          )}
        </Slab>
        {failure && (
          <div role="alert">
            <Notice tone="bad">
              {failure.text}
              {failure.requestId !== "" && <> {common.requestId(failure.requestId)}</>}
            </Notice>
          </div>
        )}
        {result && (
          <ImportResultView collection={id} result={result} text={result.dryRun ? words.tried : words.stored} />
        )}
      </div>
    </Page>
  );
}

interface ChooserProps {
  file: File | undefined;
  problem: string;
  isDisabled: boolean;
  onChoose: (file: File | undefined) => void;
  onRemove: () => void;
}

function Chooser({ file, problem, isDisabled, onChoose, onRemove }: ChooserProps) {
  const words = useWords(transferWords);
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const drag = (event: DragEvent, isInside: boolean) => {
    event.preventDefault();
    setIsOver(isInside && !isDisabled);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button within does the same
    <div
      className={layout.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false);
        if (!isDisabled) onChoose(event.dataTransfer.files[0]);
      }}
    >
      {file ? (
        <p className={layout.file}>
          <Icon of={FileText} size={20} />
          <span className={layout.fileName}>{file.name}</span>
          <span className={layout.quiet}>{formatBytes(file.size)}</span>
          <IconButton label={words.removeFile} icon={X} isDisabled={isDisabled} onPress={onRemove} isSmall />
        </p>
      ) : (
        <p>{words.drop}</p>
      )}
      <Button isDisabled={isDisabled} onPress={() => input.current?.click()} aria-describedby="import-formats">
        {words.chooseFile}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accepted}
        onChange={(event) => {
          onChoose(event.target.files?.[0]);
          // The same file again is a choice, too: it may have been changed.
          event.target.value = "";
        }}
      />
      <p id="import-formats" className={layout.quiet}>
        {words.formats}
      </p>
      {problem !== "" && (
        <p role="alert" className={layout.bad}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** Closing the window would end the import. */
function useWarning(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isOn]);
}
