// A time of day, on a clock of 24 hours. What it is made of is heavy, so it is fetched by the first page that shows one.

import { lazy, Suspense, useId } from "react";
import control from "./control.module.css";
import { FieldFrame, frameOf } from "./FieldFrame.tsx";
import type { TimeInputProps } from "./TimeParts.tsx";

const TimeParts = lazy(() => import("./TimeParts.tsx").then((part) => ({ default: part.TimeParts })));

export function TimeInput(props: TimeInputProps) {
  return (
    <Suspense fallback={<Waiting {...props} />}>
      <TimeParts {...props} />
    </Suspense>
  );
}

/** Holds the place, so that nothing jumps. */
function Waiting({ error: _, ...props }: TimeInputProps) {
  const id = useId();
  return (
    <FieldFrame {...frameOf(props)} htmlFor={id} isGroup>
      <div className={control.box} />
    </FieldFrame>
  );
}
