// The fields of a card, or of an item, at their path of the form: as the schema of the card lays them out.

import { useMemo } from "react";
import type { InnerFieldsProps } from "#fields/field-kind.ts";
import { FormLayout } from "#form/FormLayout.tsx";
import { useFormScope } from "#form/form-context.ts";
import { innerProperties } from "#form/shape.ts";

export function InnerFields({ itemSchema, path }: InnerFieldsProps) {
  const { field, root = "" } = useFormScope();
  const schema = field.items[itemSchema];
  const properties = useMemo(() => (schema ? innerProperties(schema, field.isNew) : []), [schema, field.isNew]);
  // Of a form that edits one item the store begins at that item.
  const parent = root === "" ? path : path.slice(root.length + 1);
  return <FormLayout properties={properties} formgrid={schema?.formgrid} parent={parent} />;
}
