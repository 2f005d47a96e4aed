// The date field, fetched by the first form that shows one; its place is held meanwhile.

import { type ComponentProps, lazy, Suspense } from "react";
import type { DateInput as Loaded } from "#ui/DateInput.tsx";
import { FieldFrame } from "#ui/FieldFrame.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";

const DateInput = lazy(() => import("#ui/DateInput.tsx").then((part) => ({ default: part.DateInput })));

export function LazyDateInput(props: ComponentProps<typeof Loaded>) {
  const { label, description, isRequired, extra, id = "" } = props;
  const waiting = (
    <FieldFrame label={label} htmlFor={id} isGroup help={description} isRequired={isRequired} extra={extra}>
      <Skeleton height="var(--control)" />
    </FieldFrame>
  );
  return (
    <Suspense fallback={waiting}>
      <DateInput {...props} />
    </Suspense>
  );
}
