// One of a few, all in view.

import { type FieldInputProps, type FieldKind, isNothing, isScalar, plainText } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { columnsOf, jsonOf, labelIn, useFieldOptions } from "#fields/options.ts";
import { Button } from "#ui/Button.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import css from "./choices.module.css";

function Input(props: FieldInputProps) {
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

export const radioField: FieldKind = {
  kinds: ["radio"],
  Input,
  text: (value, property) => labelIn(property, plainText(value)),
  isEmpty: isNothing,
  accepts: isScalar,
};
