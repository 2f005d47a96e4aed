// Where several processes of a server share an embedded database, one of them writes. The others reach it over a line: they send
// it what they have noted, and callers whose request needs a write.

import { CairnError } from "./errors.ts";

/** In a process that only reads. */
export interface WriterLine {
  /** The writer is being replaced: calls wait for the next one. */
  readonly isHeld?: boolean;
  /** Rejects when the writer cannot be reached or refuses, and with "internal" when the call itself is at fault. */
  call(name: string, body: unknown): Promise<unknown>;
}

/** In the process that writes: what can be called over the line. */
export type WriterCalls = ReadonlyMap<string, (body: unknown) => Promise<unknown>>;

/** Thrown where a process that only reads is asked to write. HTTP sends a read that fails with it on to the writer. */
export class NeedsWriter extends CairnError {
  constructor() {
    super("unavailable", "Another process of this server writes.");
    this.retryAfter = 1;
  }
}
