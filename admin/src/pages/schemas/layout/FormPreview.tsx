// The form as the layout makes it, with the parts of real forms, at a chosen width. Nothing that is typed in it is kept.

import { useMemo, useState } from "react";
import type { FieldContext } from "#fields/field-kind.ts";
import { type FieldProperty, shownProperties } from "#fields/property.ts";
import { FormLayout } from "#form/FormLayout.tsx";
import { type FormScope, FormScopeContext } from "#form/form-context.ts";
import { innerForms } from "#form/inner/inner-forms.tsx";
import { createFormStore } from "#form/store.ts";
import type { SchemaDraft } from "#pages/schemas/draft.ts";
import { useStart } from "#session/start.ts";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { useWords } from "#words/language.ts";
import { schemaLayoutWords } from "#words/schema-layout.ts";
import css from "./layout.module.css";

/** As wide as the column of a form is on such a screen. */
const widths = { phone: 328, tablet: 640, desktop: 880 } as const;
type Width = keyof typeof widths;

/** Their bytes would need an object. */
const uploaded = new Set(["image", "gallery", "file", "depot"]);

interface Props {
  draft: SchemaDraft;
  /** As it was a moment ago, while it is typed. */
  formgrid: string;
}

export function FormPreview({ draft: { flat, items }, formgrid }: Props) {
  const words = useWords(schemaLayoutWords);
  const { site } = useStart();
  const [width, setWidth] = useState<Width>("desktop");
  const [store] = useState(() => createFormStore({}));
  const properties = useMemo(() => shownProperties(flat, true).map(withoutUploads), [flat]);
  const scope = useMemo((): FormScope => {
    const field: FieldContext = {
      ...{ collection: "", timezone: site.timezone, locales: site.locales, isNew: true, idSource: "" },
      ...{ object: undefined, items, passwords: [], helpStyle: "", form: "schema preview" },
      ...{ isStored: () => false, takeOver: () => undefined, inner: innerForms },
    };
    return { store, field, isReadOnly: false };
  }, [store, items, site.timezone, site.locales]);
  return (
    <section className={css.preview} aria-label={words.preview}>
      <div className={css.previewHead}>
        <h2 className={css.title}>{words.preview}</h2>
        <RadioGroup
          label={words.width}
          isLabelHidden
          look="segments"
          value={width}
          onChange={(value) => setWidth(value as Width)}
          options={(Object.keys(widths) as Width[]).map((value) => ({ value, label: words.widths[value] }))}
        />
      </div>
      <p className={css.hint}>{words.previewHelp}</p>
      <div className={css.previewForm} style={{ maxInlineSize: widths[width] }}>
        <FormScopeContext value={scope}>
          <FormLayout properties={properties} formgrid={formgrid} />
        </FormScopeContext>
      </div>
    </section>
  );
}

/** Fields for files are shown, and take none. */
export function withoutUploads(property: FieldProperty): FieldProperty {
  return uploaded.has(property.type) ? { ...property, lock: "readonly" } : property;
}
