// The only fetch of the admin. It adds the CSRF token, waits for a new sign-in when the session has ended, and turns
// refusals into ApiError. It knows no page and shows nothing.

import { ApiError, errorOf } from "./api-error.ts";
import { type Route, routes } from "./routes.ts";

export interface Ask {
  /** Values of the path's `{names}`; a list is several segments. */
  path?: Record<string, string | readonly string[]>;
  /** Query string; a string is taken as it is. */
  query?: URLSearchParams | string | Record<string, string | number | boolean | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, in place of `body`; read from the disk while it is sent. */
  file?: { content: Blob; type: string } | undefined;
  ifMatch?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Set where 401 is an answer and not the end of the session: signing in itself. */
  takes401?: boolean;
  /** For a GET: ask for the password where the server does, because the person has asked for what is behind it. */
  asksPassword?: boolean;
  /** It is sent while the page is left, and goes out although nobody waits for the answer. */
  isLast?: boolean;
}

/** A form with a file. */
export interface AskUpload extends Pick<Ask, "path" | "query" | "signal"> {
  form: FormData;
  /** Bytes of the form that have left. */
  onProgress?: (sent: number) => void;
}

export interface Answer<T> {
  data: T;
  /** Beside `data`, where there is any. */
  meta: Record<string, unknown>;
  status: number;
  etag: string;
  headers: Headers;
}

/** What the server says of a session: whose it is, and the token that its writes need. */
export interface SessionAnswer {
  user: { id: string };
  csrfToken: string;
}

interface Session {
  userId: string;
  csrfToken: string;
  /** Asks the person to sign in again; resolves when there is a session of the same user. */
  signInAgain: (() => Promise<void>) | undefined;
  /** Asks the person for the password; resolves when it is confirmed, and throws when they have said no. */
  confirm: (() => Promise<void>) | undefined;
}

const session: Session = { userId: "", csrfToken: "", signInAgain: undefined, confirm: undefined };
/** One question for all requests that found the session ended. */
let signingIn: Promise<void> | undefined;
/** One question for all requests that were refused without it. */
let confirming: Promise<void> | undefined;

/** The session that requests are sent with. Nothing of one user's page is ever sent as another: the page is loaded again. */
export async function setSession({ user, csrfToken }: SessionAnswer): Promise<void> {
  if (session.userId !== "" && session.userId !== user.id) {
    location.reload();
    await new Promise(() => undefined);
  }
  session.userId = user.id;
  session.csrfToken = csrfToken;
}

/** Until it is set, a 401 is an answer like any other refusal. */
export function onSessionEnd(signInAgain: (() => Promise<void>) | undefined): void {
  session.signInAgain = signInAgain;
}

/** Until it is set, such a refusal is an answer like any other. */
export function onPowerChange(confirm: (() => Promise<void>) | undefined): void {
  session.confirm = confirm;
}

/** Asks the server. Throws ApiError for everything but success; an aborted request throws what `fetch` throws. */
export async function ask<T>(route: Route, options: Ask = {}): Promise<Answer<T>> {
  return read<T>(await request(route, options));
}

/** Sends a file, and says how far it is. */
export async function askUpload<T>(route: Route, options: AskUpload): Promise<Answer<T>> {
  return read<T>(await request(route, options, () => sendForm(route, options)));
}

/** The answer as text, for files. */
export async function askText(route: Route, options: Ask = {}): Promise<string> {
  return (await request(route, options)).text();
}

/** A request of an extension's element: an address below `/api/`, answered as `fetch` answers, whatever the status. */
export function fetchPath(path: string, init: RequestInit = {}): Promise<Response> {
  const method = (init.method ?? "GET").toUpperCase();
  const isRead = method === "GET" || method === "HEAD";
  const send = () => {
    const headers = new Headers(init.headers);
    if (!isRead && session.csrfToken !== "") headers.set("x-csrf-token", session.csrfToken);
    return fetch(path, { ...init, method, headers, credentials: "same-origin" });
  };
  return withSession(send, { isRead, isConfirmation: path.startsWith(addressOf(routes.confirmPassword)) });
}

async function request(route: Route, options: Ask, sendIt = () => send(route, options)): Promise<Response> {
  const { takes401, asksPassword = false } = options;
  const isRead = isReading(route) && !asksPassword;
  const isConfirmation = route === routes.confirmPassword;
  const response = await withSession(sendIt, { isRead, takes401, isConfirmation });
  if (!response.ok) throw await errorOf(response);
  return response;
}

interface Sending {
  isRead: boolean;
  takes401?: boolean | undefined;
  /** A wrong password is its answer. */
  isConfirmation: boolean;
}

/** Sends again after a new sign-in, with a new token, or after the password, where that was what was missing. */
async function withSession(
  sendIt: () => Promise<Response>,
  { isRead, takes401 = false, isConfirmation }: Sending,
): Promise<Response> {
  const tokenBefore = session.csrfToken;
  const response = await sendIt();
  if (response.status === 401 && !takes401 && session.signInAgain) {
    // One that was under way while somebody signed in again needs no second question.
    if (tokenBefore === session.csrfToken) {
      signingIn ??= session.signInAgain().finally(() => {
        signingIn = undefined;
      });
      await signingIn;
    }
    return sendIt();
  }
  if (response.status !== 403 || isRead) return response;
  const refusal = await errorOf(response.clone());
  if (/CSRF/.test(refusal.message)) await renewCsrfToken();
  else if (refusal.details.password !== undefined && !isConfirmation && session.confirm) {
    confirming ??= session.confirm().finally(() => {
      confirming = undefined;
    });
    await confirming;
  } else return response;
  return sendIt();
}

/** The data alone, for callers that need nothing else of the answer. */
export async function askData<T>(route: Route, options: Ask = {}): Promise<T> {
  return (await ask<T>(route, options)).data;
}

export async function renewCsrfToken(): Promise<void> {
  const response = await send(routes.session, {});
  if (!response.ok) throw await errorOf(response);
  await setSession((await read<SessionAnswer>(response)).data);
}

export function addressOf(route: Route, { path = {}, query }: Pick<Ask, "path" | "query"> = {}): string {
  const [, pattern = ""] = route.split(" ");
  const address = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new Error(`${route}: ${name} is missing`);
    return [value].flat().map(encodeURIComponent).join("/");
  });
  const text = queryText(query);
  return text === "" ? address : `${address}?${text}`;
}

function queryText(query: Ask["query"]): string {
  if (query === undefined || typeof query === "string" || query instanceof URLSearchParams) return String(query ?? "");
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

function isReading(route: Route): boolean {
  return route.startsWith("GET ");
}

async function send(route: Route, options: Ask): Promise<Response> {
  const headers = new Headers({ accept: "application/json" });
  const { file } = options;
  if (file || options.body !== undefined) headers.set("content-type", file?.type ?? "application/json");
  if (options.ifMatch !== undefined) headers.set("if-match", options.ifMatch);
  if (!isReading(route) && session.csrfToken !== "") headers.set("x-csrf-token", session.csrfToken);
  try {
    const address = addressOf(route, options);
    const early = isReading(route) ? await takeEarly(address) : undefined;
    if (early) return early;
    return await fetch(address, {
      method: route.split(" ")[0] as string,
      headers,
      credentials: "same-origin",
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      ...(file && { body: file.content }),
      ...(options.signal && { signal: options.signal }),
      ...(options.isLast && { keepalive: true }),
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError({ status: 0, message: "The server cannot be reached." });
  }
}

/** By XMLHttpRequest: fetch does not say how much of a body has left. */
function sendForm(route: Route, { form, onProgress, signal, ...address }: AskUpload): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest();
    const abort = () => sent.abort();
    const fail = () =>
      reject(signal?.aborted ? signal.reason : new ApiError({ status: 0, message: "The server cannot be reached." }));
    if (signal?.aborted) return fail();
    sent.open(route.split(" ")[0] as string, addressOf(route, address));
    sent.setRequestHeader("accept", "application/json");
    if (session.csrfToken !== "") sent.setRequestHeader("x-csrf-token", session.csrfToken);
    sent.upload.onprogress = ({ loaded }) => onProgress?.(loaded);
    sent.onload = () => resolve(responseOf(sent));
    sent.onerror = fail;
    sent.onabort = fail;
    sent.onloadend = () => signal?.removeEventListener("abort", abort);
    signal?.addEventListener("abort", abort);
    sent.send(form);
  });
}

function responseOf(sent: XMLHttpRequest): Response {
  const lines = sent.getAllResponseHeaders().trim().split(/\r?\n/);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Response(sent.responseText, { status: sent.status, statusText: sent.statusText, headers });
}

declare global {
  /** Answers that early.js has asked for, by address. */
  var cairnEarly: Map<string, Promise<Response | undefined>> | undefined;
}

/** Later they are old: what they say may have changed. */
const earlyMs = 10_000;

/** Each is taken once. A refusal is not: somebody may have signed in since. */
async function takeEarly(address: string): Promise<Response | undefined> {
  if (performance.now() > earlyMs) globalThis.cairnEarly = undefined;
  const early = globalThis.cairnEarly?.get(address);
  globalThis.cairnEarly?.delete(address);
  const response = await early;
  return response?.ok ? response : undefined;
}

async function read<T>(response: Response): Promise<Answer<T>> {
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  const body = isJson ? ((await response.json()) as { data?: T; meta?: Record<string, unknown> }) : {};
  return {
    data: ("data" in body ? body.data : body) as T,
    meta: body.meta ?? {},
    status: response.status,
    etag: tagIn(response.headers),
    headers: response.headers,
  };
}

/** Without the suffix of its encoding: the tag of an object is the same however it was sent. */
function tagIn(headers: Headers): string {
  const etag = headers.get("etag") ?? "";
  const encoding = headers.get("content-encoding");
  return encoding && etag.endsWith(`-${encoding}"`) ? `${etag.slice(0, -encoding.length - 2)}"` : etag;
}
