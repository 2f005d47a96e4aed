// Several lines of text; it grows with them up to 60 % of the window's height.

import { type Ref, type TextareaHTMLAttributes, useId } from "react";
import { classes } from "./classes.ts";
import control from "./control.module.css";
import { describedBy, FieldFrame, type FieldProps, frameOf } from "./FieldFrame.tsx";
import css from "./TextArea.module.css";

type Native = Pick<TextareaHTMLAttributes<HTMLTextAreaElement>, "name" | "spellCheck" | "onKeyDown" | "dir" | "lang">;

export interface TextAreaProps extends FieldProps, Native {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  autoComplete?: string;
  placeholder?: string;
  maxLength?: number;
  /** Lines shown while there is little in it. */
  rows?: number;
  isMono?: boolean;
  inputRef?: Ref<HTMLTextAreaElement>;
}

export function TextArea(props: TextAreaProps) {
  const { description, error, isRequired, isReadOnly, isDisabled } = props;
  const { value, onChange, inputRef, isMono, rows = 3 } = props;
  const own = useId();
  const id = props.id ?? own;
  return (
    <FieldFrame {...frameOf(props)} htmlFor={id}>
      <div className={control.box}>
        <textarea
          id={id}
          ref={inputRef}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={props.onBlur}
          onKeyDown={props.onKeyDown}
          name={props.name}
          autoComplete={props.autoComplete}
          placeholder={props.placeholder}
          maxLength={props.maxLength}
          spellCheck={props.spellCheck}
          dir={props.dir}
          lang={props.lang}
          rows={rows}
          // With field-sizing the browser no longer counts rows itself.
          style={{ minBlockSize: `calc(${rows} * 1lh + 2 * var(--space-3))` }}
          className={classes(control.input, css.area, isMono && control.mono)}
          readOnly={isReadOnly}
          disabled={isDisabled}
          aria-required={isRequired || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { help: description, error })}
        />
      </div>
    </FieldFrame>
  );
}
