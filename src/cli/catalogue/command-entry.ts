// The catalogue's description of a command, and the options that several commands share.

import type { Call } from "#cli/call.ts";

/** Resolves to the exit code; anything but a number means 0. */
// biome-ignore lint/suspicious/noExplicitAny: each command declares the options that the catalogue gives it
export type Run = (call: Call, options: any, ...args: string[]) => Promise<unknown>;

export interface CommandEntry {
  /** As commander writes it: `<needed>`, `[optional]`. */
  name: string;
  group: string;
  about: string;
  options?: readonly OptionEntry[];
  examples?: readonly string[];
  /** It needs no site, or creates one. Left out: the command fails where there is no site. */
  site?: "none" | "may-create";
  /** It reports a result, so it takes `--json`. */
  reports?: true;
  load(): Promise<Run>;
}

/** Flags, what they do, the default; an array as the default makes the option repeatable. */
export type OptionEntry = readonly [flags: string, about: string, fallback?: string | readonly string[]];

export const outputOption: OptionEntry = ["-o, --output <file>", "write to a file instead of standard output"];
export const forceOption: OptionEntry = ["--force", "do not ask"];
