// The real field of a form, to try. Its value is stored nowhere.

import { useMemo } from "react";
import { itemSchemaOf } from "#fields/items.ts";
import { readProperty } from "#fields/property.ts";
import { FormField } from "#form/FormField.tsx";
import { FormScopeContext, useFormScope } from "#form/form-context.ts";
import { innerForms } from "#form/inner/inner-forms.tsx";
import { createFormStore } from "#form/store.ts";
import { useFlatDraft } from "#pages/schemas/editor-context.ts";
import { withoutUploads } from "#pages/schemas/layout/FormPreview.tsx";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import css from "./properties.module.css";

export function Preview({ name }: { name: string }) {
  const words = useWords(schemasWords);
  const { flat, items } = useFlatDraft();
  const around = useFormScope();
  const property = useMemo(() => withoutUploads(readProperty(flat, name, true)), [flat, name]);
  const isHidden = property.kind === "hidden" || property.definition.hide === true || property.settings.hide === true;
  const isShapeless = ["card", "deck"].includes(property.type) && !itemSchemaOf(property, items);
  const { kind } = property;
  // Another kind begins without a value: it could not edit the old one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the kind decides
  const store = useMemo(() => createFormStore({}), [kind]);
  const scope = useMemo(
    () => ({ ...around, store, field: { ...around.field, items, isNew: true, inner: innerForms } }),
    [around, store, items],
  );
  return (
    <>
      <p className={css.quiet}>
        {isHidden ? words.previewHidden : isShapeless ? words.previewNoSchema : words.previewText}
      </p>
      {!isHidden && !isShapeless && (
        <FormScopeContext value={scope}>
          <div className={css.preview}>
            <FormField key={kind} property={{ ...property, visibility: undefined }} />
          </div>
        </FormScopeContext>
      )}
    </>
  );
}
