// A calendar day, or a point in time. What it is made of is heavy, so it is fetched by the first page that shows a date.

import { lazy, Suspense, useId } from "react";
import control from "./control.module.css";
import type { DateInputProps } from "./DateParts.tsx";
import { FieldFrame, frameOf } from "./FieldFrame.tsx";

const DateParts = lazy(() => import("./DateParts.tsx").then((part) => ({ default: part.DateParts })));

export function DateInput(props: DateInputProps) {
  return (
    <Suspense fallback={<Waiting {...props} />}>
      <DateParts {...props} />
    </Suspense>
  );
}

/** Holds the place, so that nothing jumps. */
function Waiting({ error: _, ...props }: DateInputProps) {
  const id = useId();
  return (
    <FieldFrame {...frameOf(props)} htmlFor={id} isGroup>
      <div className={control.box} />
    </FieldFrame>
  );
}
