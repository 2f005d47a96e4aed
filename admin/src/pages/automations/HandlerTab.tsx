// The code of an automation, with what names it. The line that the server refuses, or where the last run failed, is marked.

import { useQuery } from "@tanstack/react-query";
import { FilePlus2 } from "lucide-react";
import { useMemo } from "react";
import { CodeEditor } from "#editor/code/code-editor.ts";
import { useHandlerCheck } from "#editor/code/use-handler-check.ts";
import { plainText } from "#fields/field-kind.ts";
import { Extra } from "#fields/frame.tsx";
import { FormLayout } from "#form/FormLayout.tsx";
import { useFieldState, useFormScope } from "#form/form-context.ts";
import { markProblem } from "#form/mark-problem.ts";
import type { OwnViewsProps, ShownObject } from "#pages/objects/object-pages.ts";
import { Button } from "#ui/Button.tsx";
import { Slab } from "#ui/Slab.tsx";
import { afterPress } from "#ui/timing/afterPress.ts";
import { automationsWords } from "#words/automations.ts";
import { useWords } from "#words/language.ts";
import { automationsQuery } from "./automation-calls.ts";
import css from "./automations.module.css";
import { problemOf } from "./error-line.ts";

const path = "handler";
const beside = ["name", "id", "category", "errorMailerId"];
const formgrid = "name id\ncategory errorMailerId";

const example = `export default async (ctx) => {
  ctx.log("Started by", ctx.trigger.type);
  const { name = "world" } = ctx.args;
  return { hello: name };
};
`;

type Props = Pick<OwnViewsProps, "properties" | "object">;

export function HandlerTab({ properties, object }: Props) {
  const words = useWords(automationsWords);
  const named = useMemo(() => properties.filter(({ name }) => beside.includes(name)), [properties]);
  return (
    <Slab className={css.handler}>
      <FormLayout properties={named} formgrid={formgrid} />
      <Handler object={object} />
      <details className={css.ctx}>
        <summary>{words.handlerParts}</summary>
        <dl>
          {Object.entries(words.ctxParts).map(([name, text]) => (
            <div key={name}>
              <dt>
                <code>ctx.{name}</code>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Slab>
  );
}

function Handler({ object }: { object: ShownObject | undefined }) {
  const words = useWords(automationsWords);
  const { store, isReadOnly } = useFormScope();
  const { value, error, isDirty } = useFieldState(store, path);
  const failed = useLastFailure(object);
  const problems = useMemo(() => {
    const problem = problemOf(error ?? (isDirty ? null : failed));
    return problem ? [problem] : [];
  }, [error, failed, isDirty]);
  const text = plainText(value);
  useHandlerCheck(text, {
    isOn: isDirty && !isReadOnly,
    onProblem: (problem) => markProblem(store, path, problem),
  });
  const insert = () => {
    store.set(path, example);
    document.querySelector<HTMLElement>(`[data-property="${path}"] [role=textbox]`)?.focus();
  };
  return (
    <div data-property={path} tabIndex={-1} className={css.code}>
      <CodeEditor
        label={words.handlerTab}
        description={words.handlerHelp}
        isRequired
        value={text}
        onChange={(next) => store.set(path, next)}
        onBlur={() => afterPress(() => store.touch(path))}
        language="javascript"
        problems={problems}
        error={error}
        isReadOnly={isReadOnly}
        rows={18}
        maxHeight="70vh"
        extra={
          <Extra
            label={words.handlerTab}
            isDirty={isDirty}
            onUndo={() => store.undo(path)}
            length={text.length}
            maxLength={undefined}
          />
        }
        actions={
          text.trim() === "" &&
          !isReadOnly && (
            <Button variant="quiet" icon={FilePlus2} onPress={insert}>
              {words.insertExample}
            </Button>
          )
        }
      />
    </div>
  );
}

/** The error of the last run, if the handler that failed is the one that is stored. */
function useLastFailure(object: ShownObject | undefined): string | null {
  const list = useQuery({ ...automationsQuery, enabled: object !== undefined });
  const [last] = list.data?.find(({ id }) => id === object?.id)?.lastRuns ?? [];
  const { modified = "", autoDisabled } = object?.stored ?? {};
  // Switching it off is a change too, and comes after the failure.
  const isSame = autoDisabled === true || (last !== undefined && last.finishedAt > String(modified));
  return last?.status === "failed" && isSame ? last.error : null;
}
