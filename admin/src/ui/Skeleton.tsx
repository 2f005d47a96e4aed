// Holds the place of what is being loaded, in its final shape. Shown after 300 ms only; the place is held from the start.

import { classes } from "./classes.ts";
import css from "./Skeleton.module.css";
import { useDelayed } from "./useDelayed.ts";

interface Props {
  width?: number | string;
  height?: number | string;
  /** A pebble, for pictures of people. */
  isRound?: boolean;
}

export function Skeleton({ width = "100%", height = "1em", isRound }: Props) {
  const isShown = useDelayed(true);
  return (
    <span
      aria-hidden="true"
      className={classes(css.place, isShown && css.shown, isRound && css.round)}
      style={{ inlineSize: width, blockSize: height }}
    />
  );
}
