// Runs an automation now, with arguments, and shows how it went.

import type { Run } from "@contract/jobs.ts";
import { isJsonObject, type JsonObject } from "@contract/json.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useMemo, useState } from "react";
import { CodeEditor } from "#editor/code/code-editor.ts";
import { readJson } from "#fields/code/read-json.ts";
import { Problem } from "#shell/LoadState.tsx";
import { useShortcut } from "#shell/shortcuts.ts";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { automationsWords } from "#words/automations.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { automationsQuery, runAutomation } from "./automation-calls.ts";
import css from "./automations.module.css";
import { RunOutcome } from "./RunOutcome.tsx";

interface Props {
  id: string;
  name: string;
  /** Of an earlier run. */
  args?: JsonObject;
  /** The page has changes that are not stored. */
  isUnsaved?: boolean;
  onClose: () => void;
}

export function RunDialog({ id, name, args = {}, isUnsaved = false, onClose }: Props) {
  const words = useWords(automationsWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const [text, setText] = useState(() => JSON.stringify(args, null, 2));
  const [isChecked, setIsChecked] = useState(false);
  const running = useMutation({
    mutationFn: (given: JsonObject) => runAutomation(id, given),
    onSettled: () => {
      for (const queryKey of [automationsQuery.queryKey, ["runs", id], ["start"]])
        void queries.invalidateQueries({ queryKey });
    },
  });
  const read = useMemo(() => readArguments(text), [text]);
  const start = () => {
    setIsChecked(true);
    if (read && !running.isPending) running.mutate(read);
  };
  useShortcut("mod+Enter", words.run, start);
  return (
    <Dialog
      title={words.runTitle(name)}
      size="large"
      onClose={onClose}
      onSubmit={start}
      footer={
        <>
          <Button onPress={onClose}>{common.close}</Button>
          <Button type="submit" variant="primary" icon={Play} isPending={running.isPending}>
            {words.run}
          </Button>
        </>
      }
    >
      <div className={css.stack}>
        {isUnsaved && <Notice tone="warn">{words.runUnsaved}</Notice>}
        <CodeEditor
          label={words.arguments}
          description={words.argumentsHelp}
          value={text}
          onChange={setText}
          language="json"
          rows={5}
          maxHeight="30vh"
          error={isChecked && !read ? words.argumentsWrong : undefined}
        />
        {running.error && <Problem error={running.error} />}
        <section aria-label={words.runResult} aria-live="polite" aria-busy={running.isPending} className={css.outcome}>
          {running.data && !running.isPending && <Result run={running.data} />}
        </section>
      </div>
    </Dialog>
  );
}

function Result({ run }: { run: Run }) {
  const words = useWords(automationsWords);
  return (
    <>
      <h3 className={css.title}>{words.runResult}</h3>
      <RunOutcome run={run} />
    </>
  );
}

function readArguments(text: string): JsonObject | undefined {
  if (text.trim() === "") return {};
  const read = readJson(text);
  return "value" in read && isJsonObject(read.value) ? read.value : undefined;
}
