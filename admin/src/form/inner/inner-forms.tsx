// Forms inside of a form, for the context of fields.

import { lazy, Suspense } from "react";
import type { InnerForms, ItemDialogProps } from "#fields/field-kind.ts";
import { fieldKindOf } from "#fields/registry.ts";
import { InnerField } from "./InnerField.tsx";
import { InnerFields } from "./InnerFields.tsx";

const LazyDialog = lazy(() => import("./ItemDialog.tsx").then((part) => ({ default: part.ItemDialog })));

/** The field that opens it stays as it is while the dialog is loaded. */
function Dialog(props: ItemDialogProps) {
  return (
    <Suspense fallback={null}>
      <LazyDialog {...props} />
    </Suspense>
  );
}

export const innerForms: InnerForms = {
  Fields: InnerFields,
  Field: InnerField,
  Dialog,
  textOf: (value, property, context) => fieldKindOf(property, value).text(value, property, context),
};
