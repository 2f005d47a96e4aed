// A native slider. Until it is moved, a slider without a value stands at its least and says so.

import { type CSSProperties, type KeyboardEvent, type PointerEvent, useId } from "react";
import { classes } from "./classes.ts";
import css from "./Slider.module.css";

export interface SliderProps {
  label: string;
  value: number | undefined;
  onChange: (value: number) => void;
  min: number;
  max: number;
  step?: number;
  /** What a screen reader says in place of the number. */
  valueText?: string;
  isDisabled?: boolean;
  isInvalid?: boolean;
  onBlur?: () => void;
  id?: string;
  /** Of what stands around it, in place of a name of its own. */
  labelledBy?: string;
  describedBy?: string;
  /** Colours along the track. */
  track?: string;
  className?: string;
}

/** They leave the value at the least, which is no change for the browser. */
const lowering = new Set(["Home", "ArrowLeft", "ArrowDown", "PageDown"]);

export function Slider(props: SliderProps) {
  const { label, value, onChange, min, max, step = 1, valueText, isDisabled, isInvalid, onBlur } = props;
  const own = useId();
  const at = value === undefined ? min : Math.min(max, Math.max(min, value));
  const share = max > min ? (at - min) / (max - min) : 0;
  const begin = () => value === undefined && !isDisabled && onChange(min);
  return (
    <input
      id={props.id ?? own}
      type="range"
      className={classes(css.slider, value === undefined && css.unset, props.track && css.coloured, props.className)}
      style={{ "--share": share, ...(props.track && { "--track": props.track }) } as CSSProperties}
      min={min}
      max={max}
      step={step}
      value={at}
      onChange={(event) => onChange(event.target.valueAsNumber)}
      onKeyDown={(event: KeyboardEvent) => lowering.has(event.key) && begin()}
      onPointerUp={(event: PointerEvent<HTMLInputElement>) => event.currentTarget.valueAsNumber === min && begin()}
      onBlur={onBlur}
      disabled={isDisabled}
      aria-label={props.labelledBy ? undefined : label}
      aria-labelledby={props.labelledBy}
      aria-valuetext={valueText}
      aria-invalid={isInvalid || undefined}
      aria-describedby={props.describedBy}
    />
  );
}
