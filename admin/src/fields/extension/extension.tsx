// A kind of an extension: its element inside of the frame that every field has, else the editor of its base type.

import type { BaseType } from "@contract/extensions.ts";
import { lazy } from "react";
import { checkboxField } from "#fields/checkbox.tsx";
import { severalField } from "#fields/choices/several.tsx";
import { jsonField } from "#fields/code/json.tsx";
import { datetimeField } from "#fields/datetime.tsx";
import { type FieldKind, isNothing } from "#fields/field-kind.ts";
import { numberField } from "#fields/number.tsx";
import { otherField } from "#fields/other.tsx";
import { textField } from "#fields/text.tsx";

const Input = lazy(() => import("./ExtensionInput.tsx").then((part) => ({ default: part.ExtensionInput })));
const Read = lazy(() => import("./ExtensionInput.tsx").then((part) => ({ default: part.ExtensionRead })));

const bases: Record<BaseType, [FieldKind, name: string]> = {
  string: [textField, "text"],
  number: [numberField, "number"],
  boolean: [checkboxField, "checkbox"],
  date: [datetimeField, "datetime"],
  list: [severalField, "list"],
  json: [jsonField, "json"],
};

/** The editor of a base type, and its name in schemas. Of a value that it could not edit without loss, the one that shows it. */
function baseOf(type: string, value: Parameters<NonNullable<FieldKind["accepts"]>>[0]): [FieldKind, name: string] {
  const [base, name] = bases[type as BaseType] ?? bases.json;
  return [base.accepts?.(value) === false ? otherField : base, name];
}

export const extensionField: FieldKind = {
  kinds: [],
  // The editors are handed over: imported by the lazy part, each would be a file of its own.
  Input: (props) => <Input {...props} baseOf={baseOf} />,
  Read: (props) => <Read {...props} textOf={otherField.text} />,
  text: otherField.text,
  isEmpty: isNothing,
  accepts: () => true,
};
