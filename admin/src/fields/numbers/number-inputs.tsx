// The controls of prices, ranges and times.

import { parsePrice } from "@rules/price.ts";
import { type FieldInputProps, type FieldValue, isNothing, plainText } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { boundsOf, useNumberText } from "#fields/number.tsx";
import { describedBy, FieldFrame, frameOf, labelId } from "#ui/FieldFrame.tsx";
import { NumberInput } from "#ui/NumberInput.tsx";
import { parseNumber } from "#ui/number-text.ts";
import { Slider } from "#ui/Slider.tsx";
import { TimeInput } from "#ui/TimeInput.tsx";
import { fieldWords } from "#words/fields.ts";
import { currentLanguage, useWords } from "#words/language.ts";
import css from "./numbers.module.css";
import { currencyOf, decimalsOf } from "./price-parts.ts";

export function PriceControl(props: FieldInputProps) {
  const { property } = props;
  const currency = currencyOf(property);
  const { step = 10 ** -decimalsOf(property), ...bounds } = boundsOf(property);
  const write = (value: FieldValue) =>
    typeof value === "number" ? fixed(value, decimalsOf(property)) : plainText(value);
  return (
    <NumberInput
      {...frameProps(props)}
      {...useNumberText(props, readPrice, write)}
      {...bounds}
      step={step}
      placeholder={property.definition.placeholder}
      after={currency === "" ? undefined : <span className={css.unit}>{currency}</span>}
    />
  );
}

function readPrice(text: string): FieldValue {
  return text.trim() === "" ? undefined : (parseNumber(text, currentLanguage()) ?? parsePrice(text) ?? text);
}

/** At least so many digits behind the point; more where the number has more. */
function fixed(value: number, decimals: number): string {
  return new Intl.NumberFormat(currentLanguage(), {
    useGrouping: false,
    minimumFractionDigits: decimals,
    maximumFractionDigits: 20,
  }).format(value);
}

export function RangeControl(props: FieldInputProps) {
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

export function TimeControl(props: FieldInputProps) {
  return <TimeInput {...frameProps(props)} value={plainText(props.value)} onChange={props.onChange} />;
}
