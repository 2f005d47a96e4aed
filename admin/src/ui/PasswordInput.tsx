// A password, or another secret. It can be pasted, and shown while typing.

import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import { IconButton } from "./IconButton.tsx";
import { TextInput, type TextInputProps } from "./TextInput.tsx";

export interface PasswordInputProps extends Omit<TextInputProps, "type" | "after"> {
  /** Name of the button, where the field is a secret that has its own. */
  showLabel?: string;
  hideLabel?: string;
}

export function PasswordInput({ showLabel, hideLabel, ...rest }: PasswordInputProps) {
  const words = useWords(uiWords);
  const [isShown, setIsShown] = useState(false);
  return (
    <TextInput
      autoComplete="current-password"
      spellCheck={false}
      autoCapitalize="none"
      {...rest}
      type={isShown ? "text" : "password"}
      after={
        <IconButton
          label={isShown ? (hideLabel ?? words.hide) : (showLabel ?? words.show)}
          icon={isShown ? EyeOff : Eye}
          isSmall
          onPress={() => setIsShown(!isShown)}
        />
      }
    />
  );
}
