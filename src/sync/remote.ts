// The other installation, over HTTP. The key is sent to its address and to no other: redirects are never followed.
// Failures are reported in plain words; text of the remote is untrusted and cleaned where it is printed.

import { parseLargeJson } from "#base/json.ts";
import type { Settings } from "#config/config.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

/** A failure of the remote, or of the connection. */
export class RemoteError extends Error {
  /** There was no answer. */
  readonly isUnreachable: boolean;
  constructor(message: string, isUnreachable = false) {
    super(message);
    this.isUnreachable = isUnreachable;
  }
}

export interface Remote {
  /** The API root, without a slash at the end. */
  readonly url: string;
  /** `data` of the answer. */
  get(path: string, params: URLSearchParams): Promise<JsonObject>;
  post(path: string, body: object): Promise<JsonObject>;
  /** Whether it answers and takes the key. Its version of Cairn, where it tells. */
  probe(): Promise<{ version: string }>;
}

/** The header of an export that tells the version of Cairn, to callers that may sync. */
export const versionHeader = "x-cairn-version";

const maxAnswer = 256 * 1024 * 1024;

export function openRemote(settings: Settings): Remote {
  const url = settings.get("sync.url").trim().replace(/\/+$/, "");
  const key = settings.get("sync.key").trim();
  if (url === "" || key === "") {
    throw new RemoteError(
      "Sync is not configured: set sync.url to the API root of the other installation, and sync.key to a key of it.",
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key)) throw new RemoteError("sync.key has characters that no API key has.");
  const call = (path: string, init: RequestInit) =>
    request({ url, key, seconds: settings.get("sync.timeout") }, path, init);
  return {
    url,
    get: async (path, params) => (await call(params.size > 0 ? `${path}?${params}` : path, { method: "GET" })).data,
    post: async (path, body) => {
      const headers = { "content-type": "application/json" };
      return (await call(path, { method: "POST", body: JSON.stringify(body), headers })).data;
    },
    // No schema has this id: the answer is short.
    probe: async () => ({ version: (await call("/sync/export?schemas=-", { method: "GET" })).version }),
  };
}

interface Line {
  url: string;
  key: string;
  seconds: number;
}

interface Told {
  data: JsonObject;
  /** Of Cairn; empty where it does not tell. */
  version: string;
}

async function request({ url, key, seconds }: Line, path: string, init: RequestInit): Promise<Told> {
  try {
    const answer = await fetch(url + path, {
      ...init,
      headers: { ...init.headers, "x-api-key": key, accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.timeout(seconds * 1_000),
    });
    const version = answer.headers.get(versionHeader) ?? "";
    const data = dataOf(url, path, { answer, bytes: await readAll(answer) });
    return { data, version: /^[\w.+-]{1,50}$/.test(version) ? version : "" };
  } catch (error) {
    // A remote may repeat what it was sent.
    if (error instanceof RemoteError)
      throw new RemoteError(error.message.replaceAll(key, "[key]"), error.isUnreachable);
    if ((error as Error).name === "TimeoutError") {
      throw new RemoteError(`The remote ${url} did not answer within ${seconds} seconds (connection timeout).`, true);
    }
    throw new RemoteError(`The remote ${url} cannot be reached (${reasonOf(error)}).`, true);
  }
}

async function readAll(answer: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > maxAnswer) throw new RemoteError("The remote's answer is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function dataOf(url: string, path: string, { answer, bytes }: { answer: Response; bytes: Buffer }): JsonObject {
  const body = tryParse(bytes);
  if (!answer.ok) throw new RemoteError(failure(url, path, { answer, body }));
  const data = isJsonObject(body) ? body.data : undefined;
  if (isJsonObject(data)) return data;
  throw new RemoteError(`The remote's answer cannot be understood. Is ${url} the API root of the other installation?`);
}

function failure(url: string, path: string, { answer, body }: { answer: Response; body: Json | undefined }): string {
  const { status } = answer;
  const said = words(body);
  if (status >= 300 && status < 400) {
    const to = answer.headers.get("location") ?? "another address";
    return `The remote redirects to ${to}. The key is not sent there: set sync.url to the address itself.`;
  }
  if (status === 401) {
    const grant = path.startsWith("/import") ? "/import/jumpstart (Content Import (seeding))" : "/sync (Sync Manager)";
    return `HTTP 401: the remote refuses the key. It needs the methods GET and POST and the endpoint ${grant}.${said}`;
  }
  if (status === 404)
    return `HTTP 404: ${url} is not the API root of the other installation (it ends in /api as a rule).`;
  return `The remote answers HTTP ${status}.${said}`;
}

/** The remote's message, with its details. */
function words(body: Json | undefined): string {
  const error = isJsonObject(body) ? body.error : undefined;
  if (typeof error === "string") return ` It says: ${error}`;
  if (!isJsonObject(error) || typeof error.message !== "string") return "";
  const details = Object.entries(isJsonObject(error.details) ? error.details : {});
  const told = details.slice(0, 10).map(([place, messages]) => `${place}: ${[messages].flat().join(", ")}`);
  const more = details.length > told.length ? `, and ${details.length - told.length} more` : "";
  return ` It says: ${error.message}${told.length > 0 ? ` (${told.join("; ")}${more})` : ""}`;
}

function tryParse(bytes: Buffer): Json | undefined {
  try {
    return parseLargeJson(bytes);
  } catch {
    return undefined;
  }
}

/** The system's code, such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const known: Record<string, string> = {
    ECONNREFUSED: "connection refused",
    ENOTFOUND: "no such host",
    ECONNRESET: "connection cut",
    UND_ERR_CONNECT_TIMEOUT: "connection timeout",
    UND_ERR_SOCKET: "connection cut",
  };
  return (code && (known[code] ?? code)) || "no connection";
}
