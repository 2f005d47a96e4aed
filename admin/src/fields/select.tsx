// One of several values. Options come from the schema, from values of the collection, from other objects or from the site.

import type { Json } from "@contract/json.ts";
import { Select } from "#ui/Select.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import { type FieldInputProps, type FieldKind, isNothing, isScalar, plainText } from "./field-kind.ts";
import { frameProps } from "./frame.tsx";
import { fixedOptions, useFieldOptions } from "./options.ts";

function Input(props: FieldInputProps) {
  const { property, value, onChange, context } = props;
  const words = useWords(fieldWords);
  const chosen = plainText(value);
  const { options, isLoading, isGone, onSearch } = useFieldOptions(property, context, chosen);
  const shown = isGone ? [...options, { value: chosen, label: chosen, detail: words.gone }] : options;
  return (
    <Select
      {...frameProps(props)}
      options={shown}
      isLoading={isLoading}
      onSearch={onSearch}
      value={chosen}
      onChange={(next) => onChange(typed(next, shown))}
      isClearable={property.settings.clearValue !== false && !property.isRequired}
      placeholder={property.definition.placeholder ?? words.choose}
    />
  );
}

/** As the option has it: numbers stay numbers. */
function typed(value: string, options: readonly { value: string; json?: Json }[]): Json | undefined {
  if (value === "") return "";
  return options.find((option) => option.value === value)?.json ?? value;
}

export const selectField: FieldKind = {
  kinds: ["select"],
  Input,
  text: (value, property) => {
    const text = plainText(value);
    return fixedOptions(property).find((option) => option.value === text)?.label ?? text;
  },
  isEmpty: isNothing,
  accepts: isScalar,
};
