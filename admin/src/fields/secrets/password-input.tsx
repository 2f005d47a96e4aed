// A password: the server keeps a hash, so it is never shown, only set again. It is not kept on this device.

import { useQueryClient } from "@tanstack/react-query";
import { type FocusEvent, useEffect, useRef, useState } from "react";
import { type FieldInputProps, isNothing } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { Button } from "#ui/Button.tsx";
import { FieldFrame, frameOf, labelId } from "#ui/FieldFrame.tsx";
import { PasswordInput } from "#ui/PasswordInput.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import { readPassword } from "./confirmed.ts";
import css from "./secrets.module.css";

export function PasswordControl(props: FieldInputProps) {
  const { id, property, path, value, onChange, onBlur, context, isDisabled } = props;
  const { label, settings } = property;
  const words = useWords(fieldWords);
  const isSet = context.passwords.includes(path);
  const [isOpen, setIsOpen] = useState(false);
  const { password, confirmed } = readPassword(value);
  const isChanging = isOpen || !isSet || password !== "" || confirmed !== "";
  const button = useRef<HTMLButtonElement>(null);
  const [returns, setReturns] = useState(false);
  useRefreshed(context.collection, !isNothing(value), () => setIsOpen(false));
  useEffect(() => {
    if (returns) button.current?.focus();
    setReturns(false);
  }, [returns]);

  if (!isChanging)
    return (
      <FieldFrame {...frameOf(frameProps(props))} htmlFor={id} isGroup>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be named by a legend */}
        <div role="group" aria-labelledby={labelId(id)} className={css.set}>
          <span>{words.set}</span>
          <Button ref={button} onPress={() => setIsOpen(true)} isDisabled={isDisabled}>
            {words.change(label)}
          </Button>
        </div>
      </FieldFrame>
    );
  const set = (next: { password: string; confirmed: string }) =>
    onChange(
      next.password === "" && next.confirmed === ""
        ? undefined
        : next.password === next.confirmed
          ? next.password
          : next,
    );
  // The two belong together: both are checked when both were left.
  const leave = (event: FocusEvent) => event.currentTarget.contains(event.relatedTarget) || onBlur();
  const common = { autoComplete: "new-password", isDisabled, isRequired: property.isRequired && !isSet } as const;
  const { confirmPlaceholder } = settings;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears where the focus goes; a role would name the two as one
    <div className={css.pair} onBlur={leave}>
      <PasswordInput
        {...frameProps(props)}
        {...common}
        onBlur={undefined}
        autoFocus={isOpen}
        value={password}
        onChange={(next) => set({ password: next, confirmed })}
        placeholder={property.definition.placeholder ?? (isSet ? undefined : words.notSetYet)}
        inputMode={settings.numeric === true ? "numeric" : undefined}
      />
      <PasswordInput
        {...common}
        label={words.confirm(label)}
        value={confirmed}
        onChange={(next) => set({ password, confirmed: next })}
        placeholder={typeof confirmPlaceholder === "string" ? confirmPlaceholder : undefined}
        inputMode={settings.numeric === true ? "numeric" : undefined}
      />
      {isSet && (
        <Button
          variant="quiet"
          className={css.keep}
          onPress={() => {
            onChange(undefined);
            setIsOpen(false);
            setReturns(true);
          }}
        >
          {words.keepPassword}
        </Button>
      )}
    </div>
  );
}

/** When what was typed has gone, by Save or by undo, the server is asked again whether a password is set. */
function useRefreshed(collection: string, isTyped: boolean, onGone: () => void): void {
  const queries = useQueryClient();
  const before = useRef(isTyped);
  useEffect(() => {
    if (before.current && !isTyped) {
      onGone();
      void queries.invalidateQueries({ queryKey: ["form", collection] });
    }
    before.current = isTyped;
  });
}
