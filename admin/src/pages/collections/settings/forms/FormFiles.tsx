// Which properties take files from a form, and within which bounds.

import { useMemo } from "react";
import type { FieldProperty } from "#fields/property.ts";
import { FormField } from "#form/FormField.tsx";
import { useFieldState, useFormScope } from "#form/form-context.ts";
import css from "#pages/collections/settings/settings.module.css";
import { Checkbox } from "#ui/Checkbox.tsx";
import { formSettingsWords } from "#words/form-settings.ts";
import { useWords } from "#words/language.ts";
import { fileFields } from "./form-fields.ts";

export function FormFiles({ form, files }: { form: string; files: readonly FieldProperty[] }) {
  const { store } = useFormScope();
  const { error } = useFieldState(store, `forms.${form}.files`);
  return (
    <div data-property={`forms.${form}.files`} tabIndex={-1} className={css.stack}>
      {files.map((property) => (
        <FileRules key={property.name} form={form} property={property} />
      ))}
      {error && <p className={css.error}>{error}</p>}
    </div>
  );
}

function FileRules({ form, property }: { form: string; property: FieldProperty }) {
  const words = useWords(formSettingsWords);
  const { store } = useFormScope();
  const path = `forms.${form}.files.${property.name}`;
  const { value, error } = useFieldState(store, path);
  const fields = useMemo(() => fileFields(form, words, property), [form, words, property]);
  const isTaken = value !== undefined;
  return (
    <div data-property={path} tabIndex={-1} className={css.stack}>
      <Checkbox
        label={words.takes(property.label)}
        isSelected={isTaken}
        onChange={(isOn) => store.set(path, isOn ? { max: 1 } : undefined)}
      />
      {error && <p className={css.error}>{error}</p>}
      {isTaken && (
        <div className={css.inset}>
          {Object.values(fields).map((field) => (
            <FormField key={field.name} property={field} />
          ))}
        </div>
      )}
    </div>
  );
}
