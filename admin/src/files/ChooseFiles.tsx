// A button that opens the browser's file chooser.

import type { LucideIcon } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { Button, type ButtonVariant } from "#ui/Button.tsx";

interface Props {
  children: ReactNode;
  onChoose: (files: File[]) => void;
  icon?: LucideIcon;
  variant?: ButtonVariant;
  accept?: string | undefined;
  isMultiple?: boolean;
  isDisabled?: boolean;
}

export function ChooseFiles({ children, onChoose, icon, variant, accept, isMultiple, isDisabled }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon={icon} variant={variant} isDisabled={isDisabled} onPress={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={isMultiple}
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          // The same file may be chosen again.
          target.value = "";
        }}
      />
    </>
  );
}
