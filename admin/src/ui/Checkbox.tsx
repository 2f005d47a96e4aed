import { type ReactNode, type Ref, useId } from "react";
import css from "./Checkbox.module.css";
import { classes } from "./classes.ts";

export interface CheckboxProps {
  label: string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isIndeterminate?: boolean;
  isDisabled?: boolean;
  isRequired?: boolean;
  isLabelHidden?: boolean;
  description?: ReactNode;
  error?: ReactNode;
  id?: string;
  name?: string;
  onBlur?: () => void;
  className?: string;
  inputRef?: Ref<HTMLInputElement>;
  /** For grids, where one element alone is a stop of the Tab key. */
  tabIndex?: number;
}

export function Checkbox(props: CheckboxProps) {
  return <Tick {...props} look={css.box} />;
}

/** The box alone, for what holds hundreds of them and hears the clicks itself. */
export function BareCheckbox({ label, isSelected }: Pick<CheckboxProps, "label" | "isSelected">) {
  return (
    <input type="checkbox" checked={isSelected} onChange={leave} tabIndex={-1} className={css.box} aria-label={label} />
  );
}

function leave(): void {}

interface TickProps extends CheckboxProps {
  role?: "switch";
  look: string | undefined;
}

/** The native checkbox with its words; a switch is one too, and looks different. */
export function Tick(props: TickProps) {
  const { label, isSelected, onChange, isIndeterminate = false, isDisabled, isRequired, isLabelHidden } = props;
  const { description, error, name, onBlur, className, inputRef, tabIndex, role, look } = props;
  const own = useId();
  const id = props.id ?? own;
  const helpId = `${id}-help`;
  return (
    <div className={classes(css.frame, className)}>
      <label className={css.line}>
        <input
          id={id}
          type="checkbox"
          role={role}
          ref={(input) => {
            if (input) input.indeterminate = isIndeterminate;
            if (typeof inputRef === "function") inputRef(input);
            else if (inputRef) inputRef.current = input;
          }}
          name={name}
          checked={isSelected}
          onChange={(event) => onChange(event.target.checked)}
          onBlur={onBlur}
          disabled={isDisabled}
          tabIndex={tabIndex}
          className={look}
          aria-label={isLabelHidden ? label : undefined}
          aria-required={isRequired || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={description || error ? helpId : undefined}
        />
        {!isLabelHidden && <span className={css.label}>{label}</span>}
      </label>
      {(description || error) && (
        <div id={helpId} className={css.about}>
          {description && <div className={css.help}>{description}</div>}
          {error && <div className={css.error}>{error}</div>}
        </div>
      )}
    </div>
  );
}
