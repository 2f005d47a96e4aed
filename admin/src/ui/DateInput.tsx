// A calendar day, or with a time zone a point in time. Its parts are typed one after the other in the order of the language. What
// it is made of is large, so it is fetched when a date is shown.

import { lazy, Suspense, useId } from "react";
import control from "./control.module.css";
import type { DateInputProps } from "./date-props.ts";
import { FieldFrame } from "./FieldFrame.tsx";

const DatePart = lazy(() => import("./DatePart.tsx").then((part) => ({ default: part.DatePart })));

export function DateInput(props: DateInputProps) {
  const own = useId();
  const { label, description, isRequired, isLabelHidden, extra, className, id = own } = props;
  const waiting = (
    <FieldFrame
      label={label}
      htmlFor={id}
      isGroup
      help={description}
      isRequired={isRequired}
      isLabelHidden={isLabelHidden}
      extra={extra}
      className={className}
    >
      <div className={control.box} aria-busy="true" />
    </FieldFrame>
  );
  return (
    <Suspense fallback={waiting}>
      <DatePart {...props} id={id} />
    </Suspense>
  );
}
