// Lines that extensions log, on their way from the thread to the server. A few go at once, so that a crash loses none of them; of a
// flood the last lines go together, and the number of the others. So no amount of lines holds the server up.

import type { Json } from "#contract/json.ts";
import type { LoggedLine } from "./messages.ts";

const windowMs = 100;
/** So many lines of a window go one by one; of all others the last ones go at its end. */
const atOnce = 20;
const keptLines = 200;
/** Characters of what a line holds beside its text. */
const maxData = 4_000;

export interface LogLines {
  note(number: number, line: LoggedLine): void;
}

interface Window {
  since: number;
  lines: number;
  kept: LoggedLine[];
}

/** `later`: calls the function after so many milliseconds. */
export function createLogLines(
  send: (number: number, lines: LoggedLine[]) => void,
  later: (run: () => void, ms: number) => void = (run, ms) => void setTimeout(run, ms).unref(),
): LogLines {
  const windows = new Map<number, Window>();

  function flush(number: number): void {
    const window = windows.get(number);
    windows.delete(number);
    if (!window || window.kept.length === 0) return;
    const left = window.lines - atOnce - window.kept.length;
    const note = { level: "warn", text: `${left} lines were left out: too many at a time.`, data: null };
    send(number, left > 0 ? [note, ...window.kept] : window.kept);
  }

  return {
    note(number, { level, text, data }) {
      const line = { level, text, data: cutData(data) };
      const now = performance.now();
      const known = windows.get(number);
      // Code that logs without giving way lets no timer run.
      if (known && now - known.since >= windowMs) flush(number);
      const window = windows.get(number) ?? { since: now, lines: 0, kept: [] };
      if (window.lines === atOnce) later(() => flush(number), windowMs);
      windows.set(number, window);
      window.lines += 1;
      if (window.lines <= atOnce) return send(number, [line]);
      window.kept.push(line);
      if (window.kept.length > keptLines) window.kept.shift();
    },
  };
}

/** What is too long is a part of its text. */
export function cutData(data: Json | undefined): Json {
  const text = jsonOf(data ?? null);
  return text.length > maxData ? { cut: text.slice(0, maxData) } : (JSON.parse(text) as Json);
}

function jsonOf(data: unknown): string {
  try {
    return JSON.stringify(data) ?? "null";
  } catch {
    return "null";
  }
}
