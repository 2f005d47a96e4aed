// Output of a command. Text that comes from data is cleaned here, so that no stored value can control the terminal.
// A reader that disconnects (`| head`) ends the command quietly.

import type { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Json } from "#contract/json.ts";

/** Thrown when the reader of the output is gone; runCli treats it as a normal end. */
export class OutputClosed extends Error {}

export interface Output {
  readonly isTerminal: boolean;
  /** Unchanged, with back pressure. */
  write(text: string): Promise<void>;
  /** Does not wait; `finish` reports failures. */
  writeNow(text: string): void;
  /** Fails when something could not be written. */
  finish(): Promise<void>;
  line(text?: string): Promise<void>;
  /** The one JSON document of a command. Takes JSON text as well, so that stored documents are not parsed. */
  json(value: Json | JsonText): Promise<void>;
  table(head: readonly string[], rows: readonly (readonly string[])[]): Promise<void>;
}

export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function createOutput(stream: Writable & { isTTY?: boolean }): Output {
  let broken: Error | undefined;
  stream.on("error", (error) => {
    broken = error;
  });

  /** The reader is gone, or writing failed, for example on a full disk. */
  function check(error = broken): void {
    const { code } = (error ?? {}) as NodeJS.ErrnoException;
    if (code === "EPIPE" || code === "ERR_STREAM_DESTROYED") throw new OutputClosed();
    if (error) throw error;
  }

  async function write(text: string): Promise<void> {
    check();
    check((await new Promise<Error | null | undefined>((written) => stream.write(text, written))) ?? undefined);
  }

  return {
    isTerminal: stream.isTTY === true,
    write,
    writeNow: (text) => stream.write(text),
    async finish() {
      // By now a write that did not wait has reported its failure.
      await nextTurn();
      check();
    },
    line: (text = "") => write(`${text}\n`),
    json: (value) =>
      write(`${escapeControls(value instanceof JsonText ? value.text : JSON.stringify(value, null, 2))}\n`),
    async table(head, rows) {
      const cells = [head, ...rows].map((row) => row.map(clean));
      const widths = head.map((_, column) => Math.max(...cells.map((row) => displayWidth(row[column] ?? ""))));
      for (const row of cells) {
        const padded = row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - displayWidth(cell)));
        await write(`${padded.join("  ").trimEnd()}\n`);
      }
    },
  };
}

// C0 and C1 controls, DEL, and the marks that change the direction of text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be kept from the terminal
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** For one line of text: every control character becomes visible as an escape. */
export function clean(text: string): string {
  return text.replace(unsafe, (character) => {
    if (character === "\n") return "\\n";
    if (character === "\t") return "\\t";
    return unicodeEscape(character);
  });
}

// JSON escapes C0 by itself; DEL, C1 and the direction marks may occur in its strings only.
const unsafeInJson = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function escapeControls(json: string): string {
  return json.replace(unsafeInJson, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** East Asian wide characters and emoji take two columns, combining marks none. */
function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (/\p{Mark}/u.test(character)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}
