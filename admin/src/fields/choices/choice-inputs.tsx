// The controls that show all options at once.

import type { Json } from "@contract/json.ts";
import { type FieldInputProps, plainText } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { columnsOf, jsonOf, useFieldOptions } from "#fields/options.ts";
import { Button } from "#ui/Button.tsx";
import { CheckboxGroup } from "#ui/CheckboxGroup.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import css from "./choices.module.css";
import { listOf, useEmptyList } from "./lists.ts";

export function RadioInput(props: FieldInputProps) {
  const { id, property, value, onChange, context, isDisabled } = props;
  const words = useWords(fieldWords);
  const chosen = plainText(value);
  const { options, isGone } = useFieldOptions(property, context, { chosen: [chosen], isShown: true });
  // Schemas may name an empty choice; other values that are no option stay in view.
  const isOffered = chosen === "" || options.some((option) => option.value === chosen);
  const shown = isOffered ? options : [...options, { value: chosen, label: chosen, isGone: isGone(chosen) }];
  const clear = () => {
    onChange("");
    document.getElementById(id)?.querySelector<HTMLElement>("input")?.focus();
  };
  return (
    <div className={css.stack}>
      <RadioGroup
        {...frameProps(props)}
        options={shown}
        value={chosen}
        onChange={(next) => onChange(jsonOf(next, shown))}
        columns={columnsOf(property)}
      />
      {chosen !== "" && !property.isRequired && !isDisabled && property.settings.clearValue !== false && (
        <Button variant="quiet" className={css.clear} onPress={clear} aria-describedby={`${id}-label`}>
          {words.clear}
        </Button>
      )}
    </div>
  );
}

export function ChecklistInput(props: FieldInputProps) {
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
