// One of a few. As a list, or as a row of segments.

import type { LucideIcon } from "lucide-react";
import { useId } from "react";
import { describedBy, FieldFrame, type FieldProps, frameOf, labelId } from "./FieldFrame.tsx";
import { gridColumns } from "./gridColumns.ts";
import { Icon } from "./Icon.tsx";
import css from "./RadioGroup.module.css";

export interface RadioOption {
  value: string;
  label: string;
  /** A second line beneath the label; lists only. */
  detail?: string;
  icon?: LucideIcon;
  isDisabled?: boolean;
  /** It is chosen, and can no longer be. */
  isGone?: boolean;
}

export interface RadioGroupProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  options: readonly RadioOption[];
  look?: "list" | "segments";
  /** Of a list: how many columns, or how wide each is at least. */
  columns?: number | string;
  onBlur?: () => void;
  /** Segments show icons alone; the labels stay their names. */
  isIconOnly?: boolean;
}

export function RadioGroup(props: RadioGroupProps) {
  const { description, error, isRequired, isReadOnly, isDisabled } = props;
  const { value, onChange, options, look = "list", columns, onBlur, isIconOnly } = props;
  const own = useId();
  const id = props.id ?? own;
  const isList = look === "list";
  return (
    <FieldFrame {...frameOf(props)} htmlFor={id} isGroup>
      <div
        id={id}
        role="radiogroup"
        className={isList ? css.list : css.segments}
        style={isList ? gridColumns(columns) : undefined}
        onBlur={onBlur}
        aria-labelledby={labelId(id)}
        aria-required={isRequired || undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { help: description, error })}
      >
        {options.map((option, at) => (
          <label
            key={option.value}
            className={isList ? css.line : css.segment}
            data-tip={isIconOnly ? option.label : undefined}
          >
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              disabled={isDisabled || isReadOnly || option.isDisabled}
              className={isList ? css.dot : css.cover}
              aria-label={isIconOnly || (isList && option.detail) ? option.label : undefined}
              aria-describedby={isList && option.detail ? `${id}-${at}-detail` : undefined}
            />
            {option.icon && <Icon of={option.icon} />}
            {!isIconOnly && (
              <span className={css.words}>
                {option.isGone ? <s>{option.label}</s> : option.label}
                {isList && option.detail && (
                  <span id={`${id}-${at}-detail`} className={css.detail}>
                    {option.detail}
                  </span>
                )}
              </span>
            )}
          </label>
        ))}
      </div>
    </FieldFrame>
  );
}
