// Chosen values that are only read, by their labels; those that name other objects lead there.

import { Fragment } from "react";
import { type FieldReadProps, plainText } from "#fields/field-kind.ts";
import css from "#fields/frame.module.css";
import { useFieldOptions } from "#fields/options.ts";

export function ChosenText({ property, value, context }: FieldReadProps) {
  const chosen = (Array.isArray(value) ? value : [value]).map(plainText);
  const { options, isGone } = useFieldOptions(property, context, { chosen });
  return (
    <span className={css.text}>
      {chosen.map((one, at) => {
        const { label = one, href } = options.find((option) => option.value === one) ?? {};
        return (
          <Fragment key={one}>
            {at > 0 && ", "}
            {isGone(one) ? (
              <s>{label}</s>
            ) : href ? (
              <a href={href} target="_blank" rel="noreferrer">
                {label}
              </a>
            ) : (
              label
            )}
          </Fragment>
        );
      })}
    </span>
  );
}
