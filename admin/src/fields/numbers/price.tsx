// A number of money: the currency stands behind it. Prices may be typed as people write them.

import { parsePrice } from "@rules/price.ts";
import {
  type FieldInputProps,
  type FieldKind,
  type FieldValue,
  isNothing,
  isScalar,
  plainText,
} from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { boundsOf, useNumberText } from "#fields/number.tsx";
import { type FieldProperty, numberOf } from "#fields/property.ts";
import { NumberInput } from "#ui/NumberInput.tsx";
import { parseNumber } from "#ui/number-text.ts";
import { formatPrice } from "#words/format.ts";
import { currentLanguage } from "#words/language.ts";
import css from "./numbers.module.css";

const decimalsOf = ({ settings }: FieldProperty) => numberOf(settings.decimals) ?? 2;
const currencyOf = ({ settings }: FieldProperty) => (typeof settings.currency === "string" ? settings.currency : "");

function Input(props: FieldInputProps) {
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

export const priceField: FieldKind = {
  kinds: ["price"],
  Input,
  text: (value, property) =>
    typeof value === "number" ? formatPrice(value, currencyOf(property), decimalsOf(property)) : plainText(value),
  isEmpty: isNothing,
  accepts: isScalar,
};
