// What visitors have rated. It is shown, not edited.

import { isJsonObject } from "@contract/json.ts";
import { Star } from "lucide-react";
import {
  type FieldInputProps,
  type FieldKind,
  type FieldReadProps,
  type FieldValue,
  isNothing,
} from "#fields/field-kind.ts";
import { ReadOnlyField } from "#fields/frame.tsx";
import { Icon } from "#ui/Icon.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import css from "./numbers.module.css";

function Input({ property, value, error, extra, ...props }: FieldInputProps) {
  const words = useWords(fieldWords);
  return (
    <ReadOnlyField property={property} text={textOf(value)} note={words.ratedByVisitors} error={error} extra={extra}>
      <Read property={property} value={value} {...props} />
    </ReadOnlyField>
  );
}

function Read({ value }: FieldReadProps) {
  return (
    <span className={css.rating}>
      <Icon of={Star} />
      {textOf(value)}
    </span>
  );
}

function textOf(value: FieldValue): string {
  if (!isJsonObject(value) || typeof value.rating !== "number") return "";
  const { rating, max, total } = value;
  const number = (one: unknown) => (typeof one === "number" ? one : 0);
  return fieldWords.en.rated(rating, number(max), number(total));
}

export const ratingField: FieldKind = { kinds: ["rating"], Input, Read, text: textOf, isEmpty: isNothing };
