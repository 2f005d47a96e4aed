// What a run of the tests shows of itself: on a terminal one line that moves, elsewhere a line every 15 seconds. Whatever else is
// printed meanwhile goes through `print`, so that the moving line does not cut it in two.

import type { Tally } from "./test-jobs.ts";

export interface Progress {
  /** Text above the moving line. */
  print(text: string): void;
  stop(): void;
}

export interface State extends Tally {
  /** Files in which a test failed, and which run once more at the end. */
  repeats: number;
  files: { done: number; all: number };
  /** What files took when their times were noted: those that are done, and all. */
  noted: { done: number; all: number };
}

const interval = { terminal: 1_000, elsewhere: 15_000 };

export function showProgress(state: State, width: number, out: NodeJS.WriteStream = process.stdout): Progress {
  const began = Date.now();
  const clear = () => {
    if (out.isTTY) out.write("\r\u001b[2K");
  };
  const show = () => {
    clear();
    out.write(progressLine(state, { elapsed: (Date.now() - began) / 1000, width }) + (out.isTTY ? "" : "\n"));
  };
  const timer = setInterval(show, out.isTTY ? interval.terminal : interval.elsewhere);
  return {
    print(text) {
      clear();
      process.stderr.write(text);
    },
    stop() {
      clearInterval(timer);
      clear();
    },
  };
}

/** The time that is left follows from the files that are done: on this machine, they took so much more or less than noted. */
export function progressLine(
  { files, noted, passed, failed, repeats }: State,
  { elapsed, width }: { elapsed: number; width: number },
): string {
  const left = noted.all - noted.done;
  // A few short files say little about the pace.
  const pace = noted.done > 0.05 * noted.all ? elapsed / noted.done : 1 / width;
  const done = `${files.done} of ${files.all} files, ${passed} passed, ${failed} failed${repeats > 0 ? `, ${repeats} to repeat` : ""}`;
  return `${done}, ${Math.round(elapsed)} s, about ${spanOf(left * pace)} left`;
}

function spanOf(seconds: number): string {
  return seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
}
