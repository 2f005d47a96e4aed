// Several of a few: a group of checkboxes. With `allLabel` one more ticks or clears them all.

import { useId } from "react";
import { Checkbox } from "./Checkbox.tsx";
import css from "./CheckboxGroup.module.css";
import { classes } from "./classes.ts";
import { describedBy, FieldFrame, type FieldProps, frameOf, labelId } from "./FieldFrame.tsx";
import { gridColumns } from "./gridColumns.ts";

export interface TickOption {
  value: string;
  label: string;
  /** In a second, quieter place. */
  detail?: string;
  isGone?: boolean;
}

export interface CheckboxGroupProps extends FieldProps {
  value: readonly string[];
  onChange: (value: string[]) => void;
  options: readonly TickOption[];
  /** How many columns, or how wide each is at least. */
  columns?: number | string;
  allLabel?: string;
  onBlur?: () => void;
}

export function CheckboxGroup(props: CheckboxGroupProps) {
  const { description, error, isReadOnly, isDisabled } = props;
  const { value, onChange, options, columns, allLabel, onBlur } = props;
  const own = useId();
  const id = props.id ?? own;
  const isOff = isDisabled || isReadOnly;
  const known = options.map((option) => option.value);
  const ticked = known.filter((one) => value.includes(one));
  const toggle = (one: string, isTicked: boolean) =>
    onChange(known.filter((other) => (other === one ? isTicked : value.includes(other))));
  return (
    <FieldFrame {...frameOf(props)} htmlFor={id} isGroup>
      <fieldset
        id={id}
        className={classes(css.group, !!error && css.wrong)}
        style={gridColumns(columns)}
        onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || onBlur?.()}
        aria-labelledby={labelId(id)}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { help: description, error })}
      >
        {allLabel !== undefined && options.length > 1 && (
          <Checkbox
            className={css.all}
            label={allLabel}
            isSelected={ticked.length === known.length}
            isIndeterminate={ticked.length > 0 && ticked.length < known.length}
            onChange={() => onChange(ticked.length === known.length ? [] : known)}
            isDisabled={isOff}
          />
        )}
        {options.map((option) => (
          <Checkbox
            key={option.value}
            className={option.isGone ? css.gone : undefined}
            label={option.label}
            isSelected={value.includes(option.value)}
            onChange={(isTicked) => toggle(option.value, isTicked)}
            isDisabled={isOff}
            description={option.detail}
          />
        ))}
      </fieldset>
    </FieldFrame>
  );
}
