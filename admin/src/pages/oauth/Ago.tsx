// How long ago, or how soon; the exact time is its tooltip.

import { formatAgo, formatDateTime } from "#words/format.ts";
import styles from "./oauth.module.css";

export function Ago({ time }: { time: string }) {
  return (
    <time className={styles.once} dateTime={time} title={formatDateTime(time)}>
      {formatAgo(time)}
    </time>
  );
}
