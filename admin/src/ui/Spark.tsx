// A row of small bars: how a number went lately. Its label says in words what it shows.

import css from "./Spark.module.css";

interface Props {
  label: string;
  values: readonly number[];
  /** Marks single bars, failures for one. */
  isMarked?: (at: number) => boolean;
  height?: number;
}

const step = 6;
const bar = 4;

export function Spark({ label, values, isMarked, height = 20 }: Props) {
  const most = Math.max(1, ...values);
  const width = Math.max(1, values.length * step - (step - bar));
  return (
    <svg role="img" aria-label={label} width={width} height={height} className={css.spark}>
      {values.map((value, at) => {
        const size = Math.max(2, (value / most) * height);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={at}
            x={at * step}
            y={height - size}
            width={bar}
            height={size}
            rx={1}
            className={isMarked?.(at) ? css.marked : css.bar}
          />
        );
      })}
    </svg>
  );
}
