// A number as the language writes it, held as text. What was typed stays; a bound that it breaks is shown as `error`.
// Arrow keys step, Page Up and Page Down step by ten; the wheel changes nothing.

import type { KeyboardEvent } from "react";
import { currentLanguage } from "#words/language.ts";
import control from "./control.module.css";
import { stepNumber } from "./number-text.ts";
import { TextInput, type TextInputProps } from "./TextInput.tsx";

export interface NumberInputProps extends Omit<TextInputProps, "type" | "inputMode"> {
  step?: number;
  min?: number;
  max?: number;
}

const strides: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

export function NumberInput({ step, min, max, onKeyDown, ...rest }: NumberInputProps) {
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event);
    const steps = strides[event.key];
    if (!steps || event.defaultPrevented || rest.isReadOnly || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    rest.onChange(stepNumber(rest.value, steps, { step, min, max }, currentLanguage()));
  };
  return <TextInput autoComplete="off" {...rest} inputMode="decimal" inputClass={control.number} onKeyDown={press} />;
}
