// For the dialog of conflicts: a part of something that is no object. Pure.

import type { FieldProperty } from "#fields/property.ts";

/** A text can be written in the dialog; all else is shown as JSON. */
export function plainProperty(name: string, label: string, { isText }: { isText: boolean }): FieldProperty {
  const kind = isText ? "textarea" : "json";
  return {
    ...{ name, label, kind, type: isText ? "string" : "json", definition: { field: kind }, settings: {} },
    ...{ isRequired: false, lock: undefined, visibility: undefined, maxLength: undefined },
  };
}
