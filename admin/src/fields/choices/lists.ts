// Values that are lists: tags, several choices.

import type { Json } from "@contract/json.ts";
import { useState } from "react";
import { type FieldInputProps, type FieldValue, isNothing } from "#fields/field-kind.ts";

export function listOf(value: FieldValue): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Nothing in it is a list or an object, so it can be shown as words and edited without loss. */
export function isListOfTexts(value: FieldValue): boolean {
  return (
    isNothing(value) || (Array.isArray(value) && value.every((entry) => entry !== null && typeof entry !== "object"))
  );
}

export function isNoList(value: FieldValue): boolean {
  return isNothing(value) || (Array.isArray(value) && value.length === 0);
}

/** What an emptied list is: nothing where there was nothing, so that it is no change. A default would come back for nothing. */
export function useEmptyList({ value, property }: Pick<FieldInputProps, "value" | "property">): FieldValue {
  const [wasNothing] = useState(() => isNothing(value));
  return wasNothing && property.definition.default === undefined ? undefined : [];
}
