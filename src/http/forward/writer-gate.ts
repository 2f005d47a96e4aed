// Whether a process that only reads may send something to the one that writes. While that one is being replaced everything waits
// here, and connections that carry nothing are closed: so the old writer ends with nothing that nobody will answer.

import type { Agent } from "node:http";

/** Longer than the whole replacement may take. After it the usual patience with a writer that is away begins. */
const longestHoldMs = 15_000;
const sweepMs = 10;

export interface WriterGate {
  readonly isHeld: boolean;
  /** At once when nothing is held. */
  whenOpen(): Promise<void>;
  hold(): void;
  open(): void;
  /** Called again and again while it is held: closes the kept connections that carry nothing. */
  onSweep(sweep: () => void): void;
}

export function createWriterGate(): WriterGate {
  const sweeps: (() => void)[] = [];
  let held: PromiseWithResolvers<void> | undefined;
  let sweeping: NodeJS.Timeout | undefined;
  let longest: NodeJS.Timeout | undefined;

  function sweepAll(): void {
    for (const sweep of sweeps) sweep();
  }

  function open(): void {
    clearInterval(sweeping);
    clearTimeout(longest);
    held?.resolve();
    held = undefined;
  }

  return {
    get isHeld() {
      return held !== undefined;
    },
    whenOpen: () => held?.promise ?? Promise.resolve(),
    hold() {
      if (held) return;
      held = Promise.withResolvers();
      sweepAll();
      sweeping = setInterval(sweepAll, sweepMs).unref();
      longest = setTimeout(open, longestHoldMs).unref();
    },
    open,
    onSweep: (sweep) => void sweeps.push(sweep),
  };
}

/** Those that are in use end with their answer. */
export function closeFree({ freeSockets }: Agent): void {
  for (const sockets of Object.values(freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}
