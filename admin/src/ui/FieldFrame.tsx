// Label, help, control and error of one field, in this order. The star of a required field stands outside its name.

import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import css from "./FieldFrame.module.css";
import { Icon } from "./Icon.tsx";

/** What all controls with a label take. */
export interface FieldProps {
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  isRequired?: boolean;
  isReadOnly?: boolean;
  isDisabled?: boolean;
  /** The label is for screen readers only: what is meant must be plain to the eye. */
  isLabelHidden?: boolean;
  /** At the end of the label's line: a counter, or what was changed. */
  extra?: ReactNode;
  id?: string;
  className?: string;
}

interface Props {
  label: ReactNode;
  /** Id of the control; those of label, help and error are made from it. */
  htmlFor: string;
  help?: ReactNode;
  error?: ReactNode;
  isRequired?: boolean;
  isLabelHidden?: boolean;
  /** For groups: they are named by `aria-labelledby`, and no single control belongs to the label. */
  isGroup?: boolean;
  extra?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** What a control passes on to its frame. */
export function frameOf({ description, ...props }: FieldProps): Omit<Props, "htmlFor" | "children"> {
  const { label, error, isRequired, isLabelHidden, extra, className } = props;
  return { label, help: description, error, isRequired, isLabelHidden, extra, className };
}

export const labelId = (id: string) => `${id}-label`;
const helpId = (id: string) => `${id}-help`;
const errorId = (id: string) => `${id}-error`;

/** For `aria-describedby` of the control: help and error, where there are such. */
export function describedBy(id: string, parts: { help?: ReactNode; error?: ReactNode }): string | undefined {
  return classes(!!parts.error && errorId(id), !!parts.help && helpId(id)) || undefined;
}

export function FieldFrame(props: Props) {
  const { label, htmlFor, help, error, isRequired, isLabelHidden, isGroup, extra, className, children } = props;
  const Name = isGroup ? "span" : "label";
  return (
    <div className={classes(css.field, className)}>
      <div className={isLabelHidden && !extra ? css.hidden : css.head}>
        <span className={isLabelHidden ? css.hidden : css.name}>
          <Name className={css.label} id={labelId(htmlFor)} htmlFor={isGroup ? undefined : htmlFor}>
            {label}
          </Name>
          {isRequired && (
            <span className={css.star} aria-hidden="true">
              *
            </span>
          )}
        </span>
        {extra && <span className={css.extra}>{extra}</span>}
      </div>
      {help && (
        <div className={css.help} id={helpId(htmlFor)}>
          {help}
        </div>
      )}
      {children}
      {error && (
        <div className={css.error} id={errorId(htmlFor)}>
          <Icon of={CircleAlert} />
          <span>{error}</span>
        </div>
      )}
    </div>
  );
}
