// A colour: typed in any of four ways, or chosen. It is stored as the server stores it: hex, and oklch, which is exact.

import { lazy } from "react";
import { type FieldKind, type FieldReadProps, type FieldValue, isNothing } from "#fields/field-kind.ts";
import { fieldWords } from "#words/fields.ts";
import css from "./color.module.css";
import { colorOf, colorText } from "./color-text.ts";
import { Swatch } from "./Swatch.tsx";

const Input = lazy(() => import("./color-input.tsx").then((part) => ({ default: part.ColorInput })));

function Read({ value }: FieldReadProps) {
  return (
    <span className={css.read}>
      <Swatch color={colorOf(value)?.hex} />
      {isNothing(value) ? fieldWords.en.notSet : colorText(value)}
    </span>
  );
}

const accepts = (value: FieldValue) => isNothing(value) || typeof value === "string" || colorOf(value) !== undefined;

export const colorField: FieldKind = { kinds: ["color"], Input, Read, text: colorText, isEmpty: isNothing, accepts };
