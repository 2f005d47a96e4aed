// What a field kind is: one file each, found by registry.ts.

import type { Json, JsonObject } from "@contract/json.ts";
import type { SchemaRecord } from "@contract/schemas.ts";
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
  /** Id of the stored object; undefined until a new one is saved. */
  object: string | undefined;
  /** Languages of the site, the default one first; empty where it names none. */
  locales: readonly string[];
  /** Flat schemas of cards and decks, by id. */
  items: Readonly<Record<string, SchemaRecord>>;
  /** Paths of passwords that are set. */
  passwords: readonly string[];
  /** How help is shown: `label` (beneath the label), `tooltip` or `box`. */
  helpStyle: string;
  /** Help is shown while the pointer is over the field, or while it has the focus; else always. */
  helpOnHover?: boolean;
  helpOnFocus?: boolean;
  /** Name of the form, for files that wait for its Save. */
  form: string;
  /** Whether the place of a file is stored: its object, and the deck item that it is in. */
  isStored: (path: string) => boolean;
  /** The server has stored a property by itself, as with a depot: the form takes over what was not touched. Uploads do it too. */
  takeOver: (property: string, stored: { data: JsonObject; etag: string }) => void;
  /** Forms inside of a form, for kinds that hold objects; where there are none, such kinds are only shown. */
  inner?: InnerForms;
}

export interface InnerForms {
  /** The fields of an item schema, as its own `formgrid` lays them out, at a path of the form. */
  Fields: ComponentType<InnerFieldsProps>;
  /** One field of an item, its control alone. */
  Field: ComponentType<InnerFieldProps>;
  /** A dialog with the fields of one item: what is typed there reaches the form by Apply. */
  Dialog: ComponentType<ItemDialogProps>;
  /** The value for people to read, by its kind. */
  textOf: (value: FieldValue, property: FieldProperty, context: FieldContext) => string;
}

export interface InnerFieldsProps {
  /** A key of `items`. */
  itemSchema: string;
  path: string;
}

export interface InnerFieldProps extends InnerFieldsProps {
  /** The property; `path` leads to its value. */
  name: string;
}

export interface ItemDialogProps {
  itemSchema: string;
  /** Where the item lies in the object, or will. */
  path: string;
  title: string;
  value: JsonObject;
  /** It is not in the form yet. */
  isNew: boolean;
  /** The field to begin at, from the item on: `title`. The first of those with an error without it. */
  at?: string | undefined;
  size?: "small" | "medium" | "large";
  onApply: (value: JsonObject) => void;
  onClose: () => void;
  /** To the item before and after, once what was typed is applied; absent where there is none. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

export interface FieldInputProps {
  /** Of the control. */
  id: string;
  /** Where the value lies in the object: `title`, `card.street`, `deck.item-1.title`. */
  path: string;
  property: FieldProperty;
  value: FieldValue;
  onChange: (value: FieldValue) => void;
  /** The field was left. */
  onBlur: () => void;
  description: ReactNode;
  /** The first error of the value, or of anything in it. */
  error: string | undefined;
  /** All of them, by their place in the value; "" for the value itself. */
  errors: ReadonlyMap<string, string>;
  /** At the end of the label's line. */
  extra: ReactNode;
  isDisabled: boolean;
  /** In a cell of a table. */
  isLabelHidden?: boolean | undefined;
  context: FieldContext;
}

/** A field that is only read. */
export type FieldReadProps = Pick<FieldInputProps, "id" | "path" | "property" | "value" | "context">;

export interface FieldKind {
  /** Names of the kind in schemas. */
  kinds: readonly string[];
  /** Lazy where it is large: loaded when it is first shown. */
  Input: ComponentType<FieldInputProps>;
  /** In place of `text`, where words alone say too little: pictures, files, colours. */
  Read?: ComponentType<FieldReadProps>;
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
