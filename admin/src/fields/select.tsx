// One of several values. Options come from the schema, from values of the collection, from other objects or from the site.

import { lazy, Suspense } from "react";
import control from "#ui/control.module.css";
import { FieldFrame, frameOf } from "#ui/FieldFrame.tsx";
import { ReadChosen } from "./choices/read-chosen.ts";
import { type FieldInputProps, type FieldKind, isNothing, isScalar, plainText } from "./field-kind.ts";
import { frameProps } from "./frame.tsx";
import { labelIn } from "./options.ts";

const SelectInput = lazy(() => import("./select-input.tsx").then((part) => ({ default: part.SelectInput })));

/** What holds the place has the size of the control, so that nothing jumps. */
function Input(props: FieldInputProps) {
  const waiting = (
    <FieldFrame {...frameOf(frameProps(props))} htmlFor={props.id} isGroup>
      <div className={control.box} />
    </FieldFrame>
  );
  return (
    <Suspense fallback={waiting}>
      <SelectInput {...props} />
    </Suspense>
  );
}

export const selectField: FieldKind = {
  kinds: ["select"],
  Input,
  Read: ReadChosen,
  text: (value, property) => labelIn(property, plainText(value)),
  isEmpty: isNothing,
  accepts: isScalar,
};
