// Yes or no: a checkbox, or a switch.

import { Checkbox } from "#ui/Checkbox.tsx";
import { Switch } from "#ui/Switch.tsx";
import { fieldWords } from "#words/fields.ts";
import { type FieldInputProps, type FieldKind, type FieldValue, isNothing } from "./field-kind.ts";
import css from "./frame.module.css";

function Input(props: FieldInputProps) {
  const { id, property, value, onChange, onBlur, description, error, extra, isDisabled } = props;
  const Tick = property.kind === "toggle" ? Switch : Checkbox;
  return (
    <div className={css.tick}>
      <Tick
        id={id}
        label={property.label}
        isSelected={value === true}
        onChange={onChange}
        onBlur={onBlur}
        description={description}
        error={error}
        isDisabled={isDisabled}
      />
      {extra && <span className={css.tickExtra}>{extra}</span>}
    </div>
  );
}

const accepts = (value: FieldValue) => isNothing(value) || typeof value === "boolean";

export const checkboxField: FieldKind = {
  kinds: ["checkbox", "toggle"],
  Input,
  text: (value) => (value === true ? fieldWords.en.yes : value === false ? fieldWords.en.no : ""),
  isEmpty: isNothing,
  accepts,
};
