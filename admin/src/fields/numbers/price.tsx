// A number of money: the currency stands behind it. Prices may be typed as people write them.

import { lazy } from "react";
import { type FieldKind, isNothing, isScalar, plainText } from "#fields/field-kind.ts";
import { formatPrice } from "#words/format.ts";
import { currencyOf, decimalsOf } from "./price-parts.ts";

const Input = lazy(() => import("./number-inputs.tsx").then((part) => ({ default: part.PriceControl })));

export const priceField: FieldKind = {
  kinds: ["price"],
  Input,
  text: (value, property) =>
    typeof value === "number" ? formatPrice(value, currencyOf(property), decimalsOf(property)) : plainText(value),
  isEmpty: isNothing,
  accepts: isScalar,
};
