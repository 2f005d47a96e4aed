// What a field kind is: one file each, found by registry.ts.

import type { Json } from "@contract/json.ts";
import type { ComponentType, ReactNode } from "react";
import type { FieldProperty } from "./property.ts";

export type FieldValue = Json | undefined;

/** What a field knows of the form that it is in. */
export interface FieldContext {
  collection: string;
  /** Of the site; points in time are shown in it. */
  timezone: string;
  isNew: boolean;
  /** Label of the property that an id is made from; empty without one. */
  idSource: string;
}

export interface FieldInputProps {
  /** Of the control. */
  id: string;
  property: FieldProperty;
  value: FieldValue;
  onChange: (value: FieldValue) => void;
  /** The field was left. */
  onBlur: () => void;
  description: ReactNode;
  error: string | undefined;
  /** At the end of the label's line. */
  extra: ReactNode;
  isDisabled: boolean;
  context: FieldContext;
}

export interface FieldKind {
  /** Names of the kind in schemas. */
  kinds: readonly string[];
  Input: ComponentType<FieldInputProps>;
  /** The value for people to read; empty when there is none. */
  text(value: FieldValue, property: FieldProperty, context: Pick<FieldContext, "timezone">): string;
  isEmpty(value: FieldValue): boolean;
  /** Whether it can edit the value without losing any of it. Without it: text, numbers and nothing. */
  accepts?(value: FieldValue): boolean;
}

export function isNothing(value: FieldValue): boolean {
  return value === undefined || value === null || value === "";
}

/** Text as it is; anything that is no text is written as such. */
export function plainText(value: FieldValue): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Accepted by kinds that edit text. */
export function isScalar(value: FieldValue): boolean {
  return value === undefined || value === null || typeof value !== "object";
}
