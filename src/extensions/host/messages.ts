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

export type ToHost =
  | { type: "settings"; number: number; values: JsonObject }
  | {
      type: "call";
      id: number;
      extension: HostedExtension;
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
  | { type: "result"; id: number; value: unknown }
  | { type: "refused"; id: number; refusal: Refusal }
  | { type: "crashed"; id: number; crash: Crash; isLoading: boolean }
  /** A crash outside of a call: a timer, a rejection that nobody heard. */
  | { type: "stray"; number: number; crash: Crash }
  /** A function of the facade. `call`: null when the extension acts for itself outside of a call. */
  | { type: "ask"; id: number; number: number; call: number | null; acting: "as" | "own"; name: string; args: Json[] }
  | { type: "log"; number: number; level: string; text: string; data: Json }
  | { type: "stopped" };

/** Cells of the memory that both sides see. */
export const cells = { running: 0 } as const;
