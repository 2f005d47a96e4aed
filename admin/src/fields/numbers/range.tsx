// A number on a slider, with a text field beside it. It has no value until one of them is moved or typed in.

import { type FieldInputProps, type FieldKind, isNothing, isScalar, plainText } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { boundsOf, useNumberText } from "#fields/number.tsx";
import { describedBy, FieldFrame, frameOf, labelId } from "#ui/FieldFrame.tsx";
import { NumberInput } from "#ui/NumberInput.tsx";
import { Slider } from "#ui/Slider.tsx";
import { fieldWords } from "#words/fields.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./numbers.module.css";

function Input(props: FieldInputProps) {
  const { id, property, value, onChange, onBlur, description, error, isDisabled } = props;
  const { label } = property;
  const words = useWords(fieldWords);
  const { min = 0, max = 100, step = 1 } = boundsOf(property);
  return (
    <FieldFrame {...frameOf(frameProps(props))} htmlFor={id}>
      <div className={css.range}>
        <Slider
          id={id}
          label={label}
          labelledBy={labelId(id)}
          value={typeof value === "number" ? value : undefined}
          onChange={onChange}
          min={min}
          max={max}
          step={step}
          valueText={isNothing(value) ? words.notSet : undefined}
          isDisabled={isDisabled}
          isInvalid={!!error}
          onBlur={onBlur}
          describedBy={describedBy(id, { help: description, error })}
        />
        <NumberInput
          label={words.valueOf(label)}
          isLabelHidden
          className={css.number}
          {...useNumberText(props)}
          {...{ min, max, step }}
          placeholder={words.notSet}
          onBlur={onBlur}
          isDisabled={isDisabled}
        />
      </div>
    </FieldFrame>
  );
}

export const rangeField: FieldKind = {
  kinds: ["range"],
  Input,
  text: (value) => (typeof value === "number" ? formatNumber(value) : plainText(value)),
  isEmpty: isNothing,
  accepts: isScalar,
};
