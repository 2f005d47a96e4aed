// A refusal by the transport, before any message is handled: an HTTP status, and a JSON-RPC error as the body.

export interface RefusalOptions {
  status: number;
  message: string;
  /** Of JSON-RPC; -32000 is "the server says so". */
  code?: number;
  headers?: Record<string, string>;
}

export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly headers: Record<string, string>;

  constructor({ status, message, code = -32_000, headers = {} }: RefusalOptions) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  /** There is no single request that it answers, so it has no id. */
  get text(): string {
    return JSON.stringify({ jsonrpc: "2.0", error: { code: this.code, message: this.message }, id: null });
  }
}

export function refuse(status: number, message: string, code?: number): never {
  throw new Refusal({ status, message, ...(code !== undefined && { code }) });
}

export const parseError = -32_700;
export const invalidRequest = -32_600;
/** What clients know as "begin a new session". */
export const unknownSession = -32_001;
