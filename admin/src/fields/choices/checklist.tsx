// Several of a few, all in view.

import type { Json } from "@contract/json.ts";
import { type FieldInputProps, type FieldKind, plainText } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { columnsOf, labelIn, useFieldOptions } from "#fields/options.ts";
import { CheckboxGroup } from "#ui/CheckboxGroup.tsx";
import { fieldWords } from "#words/fields.ts";
import { formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { isListOfTexts, isNoList, listOf, useEmptyList } from "./lists.ts";

function Input(props: FieldInputProps) {
  const { property, value, onChange, context } = props;
  const words = useWords(fieldWords);
  const entries = listOf(value);
  const chosen = entries.map(plainText);
  const { options, isGone } = useFieldOptions(property, context, { chosen, isShown: true });
  const empty = useEmptyList(props);
  const others = chosen.filter((one) => !options.some((option) => option.value === one));
  const shown = [...options, ...others.map((one) => ({ value: one, label: one, isGone: isGone(one), json: one }))];
  const change = (next: string[]) => {
    const jsonAt = (one: string): Json =>
      entries.find((entry) => plainText(entry) === one) ?? shown.find((option) => option.value === one)?.json ?? one;
    onChange(next.length === 0 ? empty : next.map(jsonAt));
  };
  return (
    <CheckboxGroup
      {...frameProps(props)}
      options={shown}
      value={chosen}
      onChange={change}
      columns={columnsOf(property)}
      allLabel={property.settings.toggleAll === false ? undefined : words.all}
    />
  );
}

export const checklistField: FieldKind = {
  kinds: ["multicheckbox", "checklist"],
  Input,
  text: (value, property) => formatList(listOf(value).map((one) => labelIn(property, plainText(one)))),
  isEmpty: isNoList,
  accepts: isListOfTexts,
};
