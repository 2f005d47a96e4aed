// The only place that sends: credentials, time limits, repeated tries, and errors as values.
// Only requests that may arrive twice are sent again: GET, HEAD, PUT and DELETE without a condition, and what says so itself.

import type { Auth, CairnError, ClientOptions, Failure } from "./types.ts";

export interface Call {
  method: string;
  /** Begins with a slash. */
  path: string;
  query?: Iterable<[string, string]>;
  /** Sent as JSON. */
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** It may arrive twice, whatever its method. */
  isRepeatable?: boolean;
}

/** `body` is undefined where the answer has none. */
export type Answer = { ok: true; status: number; headers: Headers; body: unknown } | Failure;

export interface Transport {
  url: string;
  send(call: Call): Promise<Answer>;
}

const idempotent = new Set(["GET", "HEAD", "PUT", "DELETE"]);
const temporary = new Set([429, 502, 503, 504]);
const longestWait = 10_000;

export function createTransport(options: ClientOptions): Transport {
  const url = options.url.replace(/\/+$/, "") || ownOrigin();
  const { auth, retries = 2, timeout = 30_000 } = options;
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  let csrf: Promise<string> | undefined;

  async function csrfToken(): Promise<string> {
    const response = await fetch(`${url}/api/auth/session`, { credentials: "include" });
    const body = (await response.json()) as { data?: { csrfToken?: string } };
    return body.data?.csrfToken ?? "";
  }

  async function headersFor(call: Call): Promise<Headers> {
    const headers = new Headers(call.headers);
    if (call.json !== undefined) headers.set("content-type", "application/json");
    await addCredential(headers, auth);
    if (auth && "session" in auth && call.method !== "GET") {
      csrf ??= csrfToken();
      headers.set("x-csrf-token", await csrf);
    }
    return headers;
  }

  async function attempt(call: Call): Promise<Answer> {
    const limit = timeout > 0 ? AbortSignal.timeout(timeout) : undefined;
    const signals = [call.signal, limit].filter((signal) => signal !== undefined);
    try {
      const response = await fetch(addressOf(url, call), {
        method: call.method,
        headers: await headersFor(call),
        body: call.form ?? (call.json === undefined ? null : JSON.stringify(call.json)),
        credentials: auth && "session" in auth ? "include" : "omit",
        signal: AbortSignal.any(signals),
      });
      return await read(response);
    } catch (error) {
      csrf = undefined;
      return { ok: false, error: lostBy(error, call.signal, limit) };
    }
  }

  return {
    url,
    async send(call) {
      const isConditional = call.headers !== undefined && Object.hasOwn(call.headers, "if-match");
      const mayRepeat = call.isRepeatable ?? (idempotent.has(call.method) && !isConditional);
      for (let tries = 0; ; tries += 1) {
        const answer = await attempt(call);
        if (answer.ok) return answer;
        const { error } = answer;
        // The first try may have deleted it, and only its answer was lost.
        if (tries > 0 && call.method === "DELETE" && error.status === 404) {
          return { ok: true, status: 204, headers: new Headers(), body: undefined };
        }
        if (error.status === 403) csrf = undefined;
        // With an idempotency key: the first try is still being carried out.
        const isUnderWay = error.status === 409 && Number.isFinite(retryAfter.get(error));
        const isTemporary =
          isUnderWay || error.kind === "network" || error.kind === "timeout" || temporary.has(error.status);
        if (!mayRepeat || !isTemporary || tries >= retries) return answer;
        if (!(await pause(waitOf(answer, tries), call.signal))) return { ok: false, error: aborted() };
      }
    },
  };
}

/** Of the page; Node has none. */
function ownOrigin(): string {
  return (globalThis as { location?: { origin?: string } }).location?.origin ?? "";
}

function addressOf(url: string, { path, query }: Call): string {
  const parameters = new URLSearchParams([...(query ?? [])]).toString();
  return url + path + (parameters === "" ? "" : `?${parameters}`);
}

async function addCredential(headers: Headers, auth: Auth | undefined): Promise<void> {
  if (auth && "key" in auth) headers.set("x-api-key", auth.key);
  if (auth && "token" in auth) {
    const token = typeof auth.token === "function" ? await auth.token() : auth.token;
    headers.set("authorization", `Bearer ${token}`);
  }
}

interface Told {
  error?: { message?: string; details?: Record<string, string[]> } | string;
}

async function read(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const isJson = (headers.get("content-type") ?? "").includes("json");
  const text = await response.text();
  const body: unknown = isJson && text !== "" ? JSON.parse(text) : text === "" ? undefined : text;
  if (response.ok || status === 304) return { ok: true, status, headers, body };
  const told = (isJson ? (body as Told)?.error : undefined) ?? {};
  const requestId = headers.get("x-request-id");
  const error: CairnError = {
    status,
    kind: "refused",
    message: typeof told === "string" ? told : (told.message ?? `The server answered with status ${status}.`),
    ...(typeof told === "object" && told.details && { details: told.details }),
    ...(requestId !== null && { requestId }),
  };
  retryAfter.set(error, Number(headers.get("retry-after") ?? Number.NaN));
  return { ok: false, error };
}

/** Seconds, as the server said. */
const retryAfter = new WeakMap<CairnError, number>();

function waitOf({ error }: Failure, tries: number): number {
  const told = (retryAfter.get(error) ?? Number.NaN) * 1_000;
  const own = 200 * 2 ** tries * (0.75 + Math.random() / 2);
  return Math.min(Number.isFinite(told) ? told : own, longestWait);
}

/** False: aborted meanwhile. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((done) => {
    if (signal?.aborted) return done(false);
    const end = () => {
      clearTimeout(timer);
      done(false);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      done(true);
    }, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}

function lostBy(error: unknown, signal: AbortSignal | undefined, limit: AbortSignal | undefined): CairnError {
  if (signal?.aborted) return aborted();
  if (limit?.aborted) return { status: 0, kind: "timeout", message: "The server did not answer in time." };
  const reason = error instanceof Error ? error.message : String(error);
  return { status: 0, kind: "network", message: `There was no answer: ${reason}` };
}

function aborted(): CairnError {
  return { status: 0, kind: "aborted", message: "The request was aborted." };
}
