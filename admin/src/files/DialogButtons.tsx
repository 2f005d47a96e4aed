// The two buttons of a dialog that does one thing, and what went wrong.

import type { ReactNode } from "react";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { depotWords } from "#words/depot.ts";
import { useWords } from "#words/language.ts";

interface Props {
  label: string;
  isPending: boolean;
  isDisabled?: boolean;
  onCancel: () => void;
}

export function DialogButtons({ label, isPending, isDisabled, onCancel }: Props) {
  const words = useWords(depotWords);
  return (
    <>
      <Button onPress={onCancel}>{words.cancel}</Button>
      <Button type="submit" variant="primary" isPending={isPending} isDisabled={isDisabled}>
        {label}
      </Button>
    </>
  );
}

export function DialogError({ children }: { children: ReactNode }) {
  return <div role="alert">{children ? <Notice tone="bad">{children}</Notice> : null}</div>;
}
