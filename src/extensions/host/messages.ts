// What the server and the host thread of extensions say to each other. Values are JSON, bytes and streams.

import type { ErrorDetails } from "#base/errors.ts";
import type { Json, JsonObject } from "#contract/json.ts";

/** An extension as the thread gets to know it. */
export interface HostedExtension {
  /** In the shared cell, while its code runs. From 1. */
  number: number;
  id: string;
  version: string;
  cairnVersion: string;
  folder: string;
  /** For its files; null while it is only checked. */
  dataFolder: string | null;
  /** Absolute. */
  entrypoint: string;
  /** Names that functions must be supplied for, as `kind:name`. */
  functions: string[];
}

export interface Refusal {
  status: number;
  message: string;
  details?: ErrorDetails | undefined;
}

export interface Crash {
  message: string;
  stack: string;
}

export interface LoggedLine {
  level: string;
  text: string;
  data: Json;
}

export type ToHost =
  | { type: "settings"; number: number; values: JsonObject }
  /** Before its first call, and when something of it has changed. */
  | { type: "extension"; extension: HostedExtension }
  | {
      type: "call";
      id: number;
      /** Of the extension. */
      number: number;
      kind: string;
      name: string;
      args: readonly unknown[];
      actor: JsonObject;
      requestId: string;
    }
  | { type: "abort"; id: number }
  /** The answer to an `ask`. */
  | { type: "answer"; id: number; value?: Json; refusal?: Refusal }
  | { type: "ping" }
  /** Calls `stop` of each extension. */
  | { type: "stop" };

export type FromHost =
  | { type: "ready" }
  | { type: "pong" }
  /** Its code is loaded, and its function begins. */
  | { type: "began"; id: number }
  /** `body`: of an answer, as it is sent. */
  | { type: "result"; id: number; value: unknown; body?: WrittenBody }
  | { type: "refused"; id: number; refusal: Refusal }
  | { type: "crashed"; id: number; crash: Crash; isLoading: boolean }
  /** A crash outside of a call: a timer, a rejection that nobody heard. */
  | { type: "stray"; number: number; crash: Crash }
  /** A function of the facade, its arguments as JSON. `call`: null when the extension acts for itself outside of a call. */
  | { type: "ask"; id: number; number: number; call: number | null; acting: "as" | "own"; name: string; args: string }
  | { type: "log"; number: number; lines: LoggedLine[] }
  | { type: "stopped" };

/** Cells of the memory that both sides see. `awake`: the server reads messages, or was called to do so. */
export const cells = { running: 0, awake: 1 } as const;
export const cellBytes = 8;

export const hostLimits = {
  /** Functions of the service that one extension asks for at a time. Further ones wait in the thread, and then are refused. */
  asks: 64,
  waitingAsks: 10_000,
  /** Characters of the arguments of such a function, and of a result that is no body. As in the sandbox. */
  text: 4_000_000,
  /** Bytes or characters of the body of an answer. Longer ones are streams. */
  body: 16_000_000,
} as const;

/** The body of an answer as text that the thread has written: long ones as bytes, which are handed over and not copied. */
export interface WrittenBody {
  type: "json" | "text" | "bytes";
  written: string | Uint8Array;
}
