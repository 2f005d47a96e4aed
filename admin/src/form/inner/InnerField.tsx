// One property of an item where only the control has room: a cell of a table.

import { useMemo } from "react";
import type { InnerFieldProps } from "#fields/field-kind.ts";
import { readProperty } from "#fields/property.ts";
import { FormField } from "#form/FormField.tsx";
import { useFormScope } from "#form/form-context.ts";

export function InnerField({ itemSchema, path, name }: InnerFieldProps) {
  const { field, root = "" } = useFormScope();
  const schema = field.items[itemSchema];
  const property = useMemo(() => schema && readProperty(schema, name, true), [schema, name]);
  if (!property) return null;
  return <FormField property={property} path={root === "" ? path : path.slice(root.length + 1)} isBare />;
}
