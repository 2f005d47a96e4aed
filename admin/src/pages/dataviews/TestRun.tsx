// Runs the definition as it is typed, and shows what came of it. A mistake is marked at its line.

import { useMutation } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useId } from "react";
import { useHandlerCheck } from "#editor/code/use-handler-check.ts";
import { useFieldState, useFormScope } from "#form/form-context.ts";
import { markProblem } from "#form/mark-problem.ts";
import { useCommand } from "#session/commands.ts";
import { Problem } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Slab } from "#ui/Slab.tsx";
import { toast } from "#ui/toast.ts";
import { dataViewWords } from "#words/data-views.ts";
import { useWords } from "#words/language.ts";
import { ResultView } from "./ResultView.tsx";
import { testDefinition } from "./view-calls.ts";
import css from "./views.module.css";

const property = "definition";

export function TestRun() {
  const words = useWords(dataViewWords);
  const id = useId();
  const { store, isReadOnly } = useFormScope();
  const { value, isDirty } = useFieldState(store, property);
  const definition = typeof value === "string" ? value : "";
  const testing = useMutation({
    mutationFn: testDefinition,
    onSuccess: (answer) => markProblem(store, property, "error" in answer ? answer.error : undefined),
  });
  useHandlerCheck(definition, {
    isOn: isDirty && !isReadOnly,
    onProblem: (problem) => markProblem(store, property, problem),
  });
  const run = () => {
    if (definition.trim() === "") toast.bad(words.noDefinition);
    else testing.mutate(definition);
  };
  useCommand(isReadOnly ? undefined : { id: "test-run", label: words.testRun, run });
  if (isReadOnly) return null;
  const { data: answer } = testing;
  return (
    <Slab as="section" aria-labelledby={id} className={css.slab}>
      <h2 id={id} className={css.title}>
        {words.testRun}
      </h2>
      <div className={css.line}>
        <Button icon={Play} isPending={testing.isPending} onPress={run}>
          {words.testRun}
        </Button>
        <p className={css.help}>{words.testHelp}</p>
      </div>
      {testing.error && <Problem error={testing.error} />}
      {answer && "error" in answer && (
        <div role="alert">
          <Notice tone="bad" title={words.testFailed}>
            {answer.error}
          </Notice>
        </div>
      )}
      {answer && "data" in answer && (
        <>
          <p role="status" className={css.help}>
            {words.tookMs(answer.durationMs ?? 0)}
          </p>
          <ResultView label={words.testResult} data={answer.data} />
          {(answer.logs ?? []).length > 0 && (
            <>
              <h3 className={css.part}>{words.log}</h3>
              <pre className={css.log}>{answer.logs?.join("\n")}</pre>
            </>
          )}
        </>
      )}
    </Slab>
  );
}
