// How far something is. Without a value it only says that work goes on.

import { type ReactNode, useId } from "react";
import css from "./Progress.module.css";

interface Props {
  label: string;
  value?: number;
  max?: number;
  /** At the end of the label's line, "120 of 400". */
  detail?: ReactNode;
  isLabelHidden?: boolean;
}

export function Progress({ label, value, max = 100, detail, isLabelHidden }: Props) {
  const id = useId();
  const share = value === undefined ? undefined : Math.max(0, Math.min(1, max > 0 ? value / max : 0));
  return (
    <div className={css.frame}>
      {!isLabelHidden && (
        <div className={css.head}>
          <span id={id}>{label}</span>
          {detail && <span className={css.detail}>{detail}</span>}
        </div>
      )}
      <div
        role="progressbar"
        className={css.track}
        aria-label={isLabelHidden ? label : undefined}
        aria-labelledby={isLabelHidden ? undefined : id}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={share === undefined ? undefined : (value ?? 0)}
      >
        <div
          className={share === undefined ? css.unknown : css.bar}
          style={share === undefined ? undefined : { transform: `scaleX(${share})` }}
        />
      </div>
    </div>
  );
}
