// One line of text.

import type { LucideIcon } from "lucide-react";
import { type HTMLInputAutoCompleteAttribute, type InputHTMLAttributes, type ReactNode, type Ref, useId } from "react";
import { classes } from "./classes.ts";
import control from "./control.module.css";
import { describedBy, FieldFrame, type FieldProps, frameOf } from "./FieldFrame.tsx";
import { Icon } from "./Icon.tsx";

type Native = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | "name"
  | "list"
  | "onFocus"
  | "inputMode"
  | "enterKeyHint"
  | "spellCheck"
  | "autoCapitalize"
  | "autoFocus"
  | "onKeyDown"
  | "dir"
  | "lang"
>;

export interface TextInputProps extends FieldProps, Native {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  type?: "text" | "email" | "url" | "tel" | "search" | "password";
  autoComplete?: HTMLInputAutoCompleteAttribute;
  placeholder?: string;
  maxLength?: number;
  inputRef?: Ref<HTMLInputElement>;
  /** Ids, paths and keys. */
  isMono?: boolean;
  /** Password managers leave the field alone. */
  isUnmanaged?: boolean;
  icon?: LucideIcon;
  /** Inside the box, before the text. */
  before?: ReactNode;
  /** Inside the box, behind the text: a unit, or small buttons. */
  after?: ReactNode;
  inputClass?: string;
}

export function TextInput(props: TextInputProps) {
  const { description, error, isRequired, isReadOnly, isDisabled } = props;
  const {
    value,
    onChange,
    onBlur,
    inputRef,
    isMono,
    isUnmanaged,
    icon,
    before,
    after,
    inputClass,
    type = "text",
    ...rest
  } = props;
  const own = useId();
  const id = props.id ?? own;
  return (
    <FieldFrame {...frameOf(props)} htmlFor={id}>
      <div className={control.box}>
        {icon && <Icon of={icon} className={control.before} />}
        {before && <span className={classes(control.before, control.inline)}>{before}</span>}
        <input
          {...nativeOf(rest)}
          {...(isUnmanaged && unmanaged)}
          id={id}
          data-autofocus={props.autoFocus || undefined}
          ref={inputRef}
          type={type}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
          className={classes(control.input, isMono && control.mono, inputClass)}
          readOnly={isReadOnly}
          disabled={isDisabled}
          aria-required={isRequired || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { help: description, error })}
        />
        {after && <span className={control.after}>{after}</span>}
      </div>
    </FieldFrame>
  );
}

/** As the common password managers ask for it. */
const unmanaged = { "data-1p-ignore": "true", "data-lpignore": "true", "data-bwignore": "true" };

type Others = Native & Pick<TextInputProps, "autoComplete" | "placeholder" | "maxLength">;

function nativeOf(props: Others): Others {
  const { name, list, onFocus, inputMode, enterKeyHint, spellCheck, autoCapitalize, autoFocus, onKeyDown, dir, lang } =
    props;
  const { autoComplete, placeholder, maxLength } = props;
  return {
    name,
    list,
    onFocus,
    inputMode,
    enterKeyHint,
    spellCheck,
    autoCapitalize,
    autoFocus,
    onKeyDown,
    dir,
    lang,
    autoComplete,
    placeholder,
    maxLength,
  };
}
