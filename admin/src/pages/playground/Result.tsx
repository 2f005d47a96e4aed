// The snippet as it is typed, rendered. Its mistakes are marked in the field.

import type { TemplateError } from "@contract/templates.ts";
import { useCallback } from "react";
import { useFieldState, useFormScope } from "#form/form-context.ts";
import { PreviewPane } from "#pages/templates/preview/PreviewPane.tsx";
import { Slab } from "#ui/Slab.tsx";
import { useWords } from "#words/language.ts";
import { playgroundWords } from "#words/playground.ts";
import { previewWords } from "#words/preview.ts";
import css from "./playground.module.css";

const property = "snippet";

export function Result() {
  const words = useWords(playgroundWords);
  const ofPreviews = useWords(previewWords);
  const { store } = useFormScope();
  const { value } = useFieldState(store, property);
  const mark = useCallback(
    (errors: readonly TemplateError[]) => {
      const [first] = errors.filter(({ line, template }) => line > 0 && template === undefined);
      const others = [...store.summary().errors].filter(([path]) => path !== property);
      const text = first && ofPreviews.mistakeAt(first.line, first.column, first.message);
      store.setErrors(new Map(text === undefined ? others : [...others, [property, text]]));
    },
    [store, ofPreviews],
  );
  return (
    <Slab className={css.slab}>
      <PreviewPane template={typeof value === "string" ? value : ""} onErrors={mark} title={words.result} />
    </Slab>
  );
}
