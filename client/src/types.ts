// Types of what goes in and comes out. Nothing here exists at run time.

/** An object of a collection whose types were not generated. */
export interface AnyObject {
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: without generated types a property may hold anything
  [name: string]: any;
}

/** Any interface of collections: the one that `cairn types` writes, or none. */
export type AnyCollections = Record<string, AnyObject>;

/** Every call gives one of these; none throws. */
export type Result<T, More = unknown> = Success<T, More> | Failure;

export type Success<T, More = unknown> = { ok: true; data: T; error?: undefined } & More;

export interface Failure {
  ok: false;
  data?: undefined;
  error: CairnError;
}

export interface CairnError {
  /** The HTTP status; 0 when there was no answer. */
  status: number;
  /** `aborted`: by the signal. `timeout`: no answer in time. `network`: no answer. `refused`: the server said no. */
  kind: "aborted" | "timeout" | "network" | "refused";
  message: string;
  /** By property or parameter. */
  details?: Record<string, string[]>;
  requestId?: string;
}

export type Auth =
  | { key: string }
  /** An OAuth access token, or a function that gives the present one. */
  | { token: string | (() => string | Promise<string>) }
  /** The session of the user who is signed in, on pages of the same site. */
  | { session: true };

export interface ClientOptions {
  /** Of the site, such as https://cms.example.org; empty in pages of the same site. */
  url: string;
  auth?: Auth;
  /** How often a request that may be repeated is sent again; 2 as shipped. */
  retries?: number;
  /** Milliseconds for each try; 30,000 as shipped, 0 for none. */
  timeout?: number;
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

/** What a create or a replace takes: the server makes the id and the times. */
export type Input<T> = Omit<T, "id" | "created" | "modified"> & { id?: string };

/** What a patch takes; null gives a property back its default. */
export type Change<T> = { [K in keyof T]?: T[K] | null };

export interface ObjectInfo {
  etag?: string;
}

export interface ListInfo {
  /** Of all objects that match. */
  total: number;
  /** For the next page; missing on the last. */
  cursor?: string;
}

type Head<P extends string> = P extends `${infer H}.${string}` ? H : P;
type Rest<P extends string, K extends string> = P extends `${K}.${infer R}` ? R : never;
type Related<V> = V extends readonly unknown[] ? (AnyObject | string)[] : AnyObject | string;

/** An object with these paths resolved. A related object that the caller may not read stays an id. */
export type Expanded<T, P extends string> = [P] extends [never]
  ? T
  : {
      [K in keyof T]: K extends Head<P> & string ? ExpandedValue<T[K], K, P> : T[K];
    };
type ExpandedValue<V, K extends string, P extends string> =
  | (K extends P ? Related<NonNullable<V>> : ExpandedParts<NonNullable<V>, Rest<P, K>>)
  | Extract<V, undefined>;
type ExpandedParts<V, P extends string> = V extends readonly (infer I)[] ? Expanded<I, P>[] : Expanded<V, P>;
