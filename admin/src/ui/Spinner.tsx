// Turns while something is awaited; nothing is shown before 300 ms.

import { classes } from "./classes.ts";
import css from "./Spinner.module.css";
import { useDelayed } from "./useDelayed.ts";

interface Props {
  /** Said to screen readers; without it the words around it must say so. */
  label?: string;
  size?: 16 | 20 | 32;
  className?: string;
}

export function Spinner({ label, size = 16, className }: Props) {
  const isShown = useDelayed(true);
  return (
    <span role={label ? "status" : undefined} className={classes(css.frame, className)}>
      {isShown && (
        <>
          <svg width={size} height={size} viewBox="0 0 16 16" className={css.wheel} aria-hidden="true">
            <circle cx="8" cy="8" r="6.25" className={css.track} />
            <path d="M8 1.75A6.25 6.25 0 0 1 14.25 8" className={css.arc} />
          </svg>
          {label && <span className={css.label}>{label}</span>}
        </>
      )}
    </span>
  );
}
