// The control of a choice: a combobox.

import { Select } from "#ui/Select.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import { type FieldInputProps, plainText } from "./field-kind.ts";
import css from "./frame.module.css";
import { frameProps } from "./frame.tsx";
import { OpenLink } from "./OpenLink.tsx";
import { jsonOf, useFieldOptions } from "./options.ts";

export function SelectInput(props: FieldInputProps) {
  const { property, value, onChange, context } = props;
  const words = useWords(fieldWords);
  const chosen = plainText(value);
  const { options, isLoading, isGone, onSearch } = useFieldOptions(property, context, { chosen: [chosen] });
  const gone = isGone(chosen);
  const shown = gone ? [...options, { value: chosen, label: chosen, detail: words.gone }] : options;
  const href = options.find((option) => option.value === chosen)?.href;
  return (
    <>
      <Select
        {...frameProps(props)}
        options={shown}
        isLoading={isLoading}
        onSearch={onSearch}
        value={chosen}
        onChange={(next) => onChange(next === "" ? "" : jsonOf(next, shown))}
        isClearable={!gone && property.settings.clearValue !== false && !property.isRequired}
        placeholder={property.definition.placeholder ?? words.choose}
        isGone={gone}
        after={href && <OpenLink name={property.label} href={href} />}
      />
      {gone && (
        <p className={css.gone}>
          <s>{chosen}</s> {words.gone}.{" "}
          <button type="button" className={css.undo} onClick={() => onChange("")}>
            {words.remove(chosen)}
          </button>
        </p>
      )}
    </>
  );
}
