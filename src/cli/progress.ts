// Progress of long commands: one line on standard error, redrawn a few times a second.
// Silent unless standard error is a terminal, so that logs and pipes stay clean.

import type { Writable } from "node:stream";

const redrawEvery = 200;

const clearLine = "\r\u001b[K";

/** The percentage is `part` of `whole` (such as bytes read); without it only the count is shown. */
export type ReportProgress = (count: number, part?: number, whole?: number) => void;

/** Runs the work, which reports its progress; the line is removed when it ends, however it ends. */
export async function withProgress<T>(
  stream: Writable & { isTTY?: boolean },
  what: string,
  work: (report: ReportProgress) => Promise<T>,
): Promise<T> {
  if (!stream.isTTY) return work(() => {});
  const started = performance.now();
  let drawn = started;
  try {
    return await work((count, part, whole) => {
      const now = performance.now();
      if (now - drawn < redrawEvery) return;
      drawn = now;
      stream.write(clearLine + progressLine({ what, count, seconds: (now - started) / 1000, part, whole }));
    });
  } finally {
    if (drawn > started) stream.write(clearLine);
  }
}

interface State {
  what: string;
  count: number;
  seconds: number;
  part: number | undefined;
  whole: number | undefined;
}

export function progressLine({ what, count, seconds, part, whole }: State): string {
  const rate = seconds > 0 ? Math.round(count / seconds) : 0;
  const percent = part !== undefined && whole ? `, ${Math.min(100, Math.floor((part / whole) * 100))} %` : "";
  return `${what}: ${number(count)} (${number(rate)} a second${percent})`;
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
