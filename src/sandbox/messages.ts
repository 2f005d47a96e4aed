// Messages between the server and the sandbox's thread: texts and numbers only.

export type SandboxReason = "threw" | "timeout" | "memory" | "syntax" | "result" | "busy" | "stopped" | "author";

export const limits = {
  /** Characters of a result, of the answer to a host call, and of the arguments of all pending calls. */
  text: 4_000_000,
  /** Host calls of one run, and pending ones. */
  calls: 10_000,
  pendingCalls: 64,
  logLines: 1_000,
  logLine: 2_000,
  /** Bytes of stack for the code itself. */
  stack: 512 * 1024,
} as const;

export interface ThreadData {
  wasm: WebAssembly.Module;
  /** Pages of 64 KiB. */
  maxPages: number;
}

/** Texts of further modules by path; the module may import these, and nothing else. */
export type Modules = Readonly<Record<string, string>>;

export type ToThread =
  | { type: "run"; source: string; data: string; names: string[]; modules: Modules }
  | { type: "check"; source: string }
  | { type: "answer"; call: number; text: string };

export type FromThread =
  /** Once, when it is ready for its first run. */
  | { type: "ready" }
  | { type: "call"; call: number; name: string; args: string }
  | { type: "log"; level: string; line: string }
  /** The run has ended; `text` is the result as JSON. Unless `isBroken`, the thread can be reused. */
  | { type: "result"; text: string }
  | { type: "error"; reason: SandboxReason; message: string; isBroken: boolean };
