// The facade of Cairn for extensions, API 1: what `register(cairn)` is given, and what elements of the admin are given.
// `cairn extension:new` and `cairn extension:types` copy this file beside the code as cairn.d.ts. It has types alone: write
// `import type { Cairn } from "cairn/extension"`. API 1 only grows; what will go is marked @deprecated for a year before.

declare module "cairn/extension" {
  export type Json = string | number | boolean | null | Json[] | JsonObject;
  export interface JsonObject {
    [key: string]: Json;
  }

  /** Text that is printed as HTML. Made by `cairn.html`. */
  export interface Html {
    readonly $html: string;
  }

  /** Errors by property: `{"title": ["is required"]}`. */
  export type Details = Record<string, string[]>;

  /** The module of an extension exports `register`, and `stop` where it has something to close. */
  export type Register = (cairn: Cairn) => void | Promise<void>;
  /** Has 5 seconds. */
  export type Stop = () => void | Promise<void>;

  /** The argument of `register`. Functions are given to the names that `extension.json` declares, and only there. */
  export interface Cairn {
    /** `{vendor}/{name}` */
    readonly id: string;
    readonly version: string;
    readonly api: 1;
    readonly cairnVersion: string;
    /** Where it lies on disk; null in the sandbox. */
    readonly folder: string | null;
    /** For files of its own, which backups hold; made when it is first read. Null in the sandbox. */
    readonly dataFolder: string | null;

    /** `/api/ext/{vendor}/{name}/…` */
    route(name: string, run: (call: RouteCall) => Promise<RouteAnswer> | RouteAnswer): void;
    /** At the root of the website, for everybody. */
    siteRoute(name: string, run: (call: RouteCall) => Promise<RouteAnswer> | RouteAnswer): void;
    /** A tool for AI clients. Arguments and result fit the schemas of the manifest. */
    tool(name: string, run: (call: Call, args: JsonObject) => Promise<JsonObject> | JsonObject): void;
    /** A resource for AI clients. */
    resource(name: string, run: ResourceHandlers): void;
    /** A prompt for AI clients. */
    prompt(name: string, run: PromptHandler): void;
    /** Pure: answers are kept by value and arguments. */
    filter(name: string, run: (value: Json, ...args: Json[]) => Promise<Json | Html> | Json | Html): void;
    /** `cairn {name}`. Returns the exit code; nothing is 0. */
    command(
      name: string,
      // biome-ignore lint/suspicious/noConfusingVoidType: a command without a return value ends with 0
      run: (call: CommandCall, options: JsonObject, ...args: string[]) => Promise<number | void>,
    ): void;
    /** After a write, at least once, in order for one object. */
    reaction(name: string, run: (call: Call, event: CairnEvent) => Promise<void>): void;
    /** Before a write: refuses it, or changes what is stored. */
    check(name: string, run: (call: Call, change: Change) => Promise<Verdict> | Verdict): void;
    field(kind: string, run: FieldHandlers): void;
    /** By its cron line, and for what `jobs.add` ordered. */
    schedule(name: string, run: (call: Call, payload: Json) => Promise<void>): void;
    /** After a form was sent and stored. */
    formAction(name: string, run: (call: Call, sent: Submission) => Promise<void>): void;
    /** Before a form is stored. */
    formGuard(name: string, run: (sent: Submission) => Promise<SpamVerdict> | SpamVerdict): void;
    /** Before a page is rendered. */
    pageStep(name: string, run: (visit: Visit) => Promise<PageVerdict> | PageVerdict): void;
    searchProvider(name: string, run: SearchHandlers): void;

    /** Acts as the extension, within the permissions that were approved. */
    readonly own: Acting;
    readonly settings: {
      /** Secrets are in clear. */
      get<T extends Json>(key: string): T;
      all(): JsonObject;
    };
    readonly store: Store;
    readonly log: Record<"debug" | "info" | "warn" | "error", (text: string, data?: JsonObject) => void>;
    /** An answer to the caller, not a crash. */
    fail(status: 400 | 401 | 403 | 404 | 409 | 422 | 429, message: string, details?: Details): never;
    /** Cleaned by the rules of the site unless the extension is trusted to print. */
    html(text: string): Html;
  }

  export interface Call {
    /** Acts as the caller, with their rights and nothing more. */
    readonly as: Acting;
    readonly actor: { kind: string; user?: string; groups: string[] };
    /** Aborts when the caller is gone or time is up. */
    readonly signal: AbortSignal;
    readonly requestId: string;
  }

  export interface RouteCall extends Call {
    readonly method: string;
    /** Below the address of the extension. */
    readonly path: string;
    /** Names in braces. */
    readonly params: Record<string, string>;
    readonly query: Record<string, string | string[]>;
    /** Without cookies and credentials. */
    readonly headers: Record<string, string>;
    /** JSON where the request says so, otherwise bytes or a stream. */
    readonly body: Json | Uint8Array | ReadableStream | null;
  }

  /** Status 200 and JSON unless said. */
  export interface RouteAnswer {
    status?: number;
    headers?: Record<string, string>;
    body?: Json | object | Uint8Array | ReadableStream;
  }

  export interface CommandCall extends Call {
    /** `--json` was given: print one JSON document. */
    readonly isJson: boolean;
    /** A line on standard output. */
    print(text: string): Promise<void>;
  }

  /** Parameters of a list: `limit`, `offset`, `sort`, `filter`, `fields`, `expand` as over REST. */
  export type ListQuery = JsonObject;
  /** As `ListQuery`, with `search`, `include` and `exclude`. */
  export type Query = JsonObject;
  export interface QueryPage {
    data: JsonObject[];
    total: number;
    nextCursor?: string;
    expand?: Json;
  }
  export interface Write {
    /** The ETag that the object must have: otherwise 412. */
    ifMatch?: string;
    /** For the history. */
    note?: string;
  }

  /** Operations of the service. A refusal is thrown as an error with `status`, `message` and `details`. */
  export interface Acting {
    readonly objects: {
      get(collection: string, id: string, query?: JsonObject): Promise<JsonObject>;
      list(collection: string, query?: ListQuery): Promise<JsonObject[]>;
      query(collection: string, query?: Query): Promise<QueryPage>;
      search(collection: string, words: string, query?: Query): Promise<QueryPage>;
      create(collection: string, object: JsonObject, write?: Write): Promise<JsonObject>;
      replace(collection: string, id: string, object: JsonObject, write?: Write): Promise<JsonObject>;
      patch(collection: string, id: string, changes: JsonObject, write?: Write): Promise<JsonObject>;
      delete(collection: string, id: string, write?: Write): Promise<void>;
      clone(collection: string, id: string, to?: { id?: string; collection?: string }): Promise<JsonObject>;
      increment(collection: string, id: string, property: string, by?: number): Promise<number>;
    };
    readonly deck: DeckApi;
    readonly files: FileApi;
    readonly views: { get(id: string): Promise<Json> };
    readonly mail: { send(mailerId: string, data: JsonObject): Promise<void> };
    readonly jobs: {
      /** Runs a schedule of the extension once, at `at` (a date and time) or soon. Resolves to the id of the job. */
      add(schedule: string, payload: Json, at?: string): Promise<string>;
    };
    /** Only hosts of the manifest, never the network of the server. */
    fetch(url: string, init?: FetchInit): Promise<FetchAnswer>;
    /** A template of the site or of the extension (`ext/{vendor}/{name}/…`). */
    render(template: string, data: JsonObject): Promise<string>;
  }

  export interface DeckApi {
    get(collection: string, id: string, property: string, item: string): Promise<JsonObject>;
    create(collection: string, id: string, property: string, item: JsonObject): Promise<JsonObject>;
    replace(collection: string, id: string, property: string, itemId: string, item: JsonObject): Promise<JsonObject>;
    delete(collection: string, id: string, property: string, itemId: string): Promise<JsonObject>;
  }

  export interface StoredFile {
    name: string;
    mime: string;
    size: number;
    base64: string;
    text: string;
  }
  export interface FileApi {
    /** Up to 2 MB. `path`: of a gallery or depot. */
    read(collection: string, id: string, property: string, path?: string): Promise<StoredFile>;
    /** Fetches a file by its address and saves it. */
    save(collection: string, id: string, property: string, url: string, path?: string): Promise<JsonObject>;
  }

  export interface FetchInit {
    method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
    headers?: Record<string, string>;
    /** What is not text is sent as JSON. */
    body?: Json;
  }
  export interface FetchAnswer {
    status: number;
    ok: boolean;
    headers: Record<string, string>;
    text: string;
  }

  /** JSON by key, up to 1 MB a value, in the database: every process has it, and every backup. */
  export interface Store {
    get(key: string): Promise<{ value: Json; rev: number } | null>;
    /** Resolves to the new revision. `rev`: the one it must have now (0: none); otherwise 412. `expires`: date and time. */
    set(key: string, value: Json, options?: { rev?: number; expires?: string }): Promise<number>;
    delete(key: string): Promise<void>;
    list(prefix: string, cursor?: string): Promise<{ keys: string[]; cursor?: string }>;
  }

  /** What a reaction hears of. Which members are there depends on `type`; a batch of an import has `ids`. */
  export interface CairnEvent {
    readonly type: string;
    readonly collection?: string;
    readonly id?: string;
    readonly ids?: string[];
    readonly [more: string]: Json | undefined;
  }

  export interface Change {
    readonly collection: string;
    /** Null: the service chooses one. */
    readonly id: string | null;
    readonly operation: "create" | "update" | "delete";
    readonly before: JsonObject | null;
    readonly after: JsonObject | null;
  }
  export type Verdict = { ok: true; changes?: JsonObject } | { ok: false; details: Details };

  export interface FieldHandlers {
    /** Changed values, before they are stored: one result for each, in the same order. */
    normalise?(values: FieldValue[], call: Call): Promise<FieldResult[]> | FieldResult[];
  }
  export interface FieldValue {
    readonly collection: string;
    readonly id: string | null;
    readonly property: string;
    readonly value: Json;
    /** The settings of the property. */
    readonly settings: JsonObject;
  }
  export type FieldResult = { value: Json } | { error: string };

  export interface Submission {
    /** `{collection}/{name}` */
    readonly form: string;
    readonly collection: string;
    /** The id of the stored object; null before it is stored. */
    readonly object: string | null;
    readonly values: JsonObject;
    /** Of the sender, as the server keeps it. */
    readonly address: string;
  }
  export interface SpamVerdict {
    spam: boolean;
    reason?: string;
  }

  export interface Visit {
    readonly path: string;
    readonly query: Record<string, string | string[]>;
    readonly method: string;
    /** Without cookies and credentials. What a step reads of `query`, `headers`, `cookies` and `user` decides who shares the page. */
    readonly headers: Record<string, string>;
    /** Without those of the service. */
    readonly cookies: Record<string, string>;
    /** The page, and the object where it shows one. */
    readonly page: JsonObject;
    readonly object: JsonObject | null;
    /** Null: not signed in. */
    readonly user: { id: string; groups: string[] } | null;
  }
  /** `vary`: more of the visit that decided, such as `header:accept-language`. `until`: the page is kept no longer than this. */
  interface Keeping {
    vary?: string[];
    until?: string;
    private?: boolean;
  }
  export type PageVerdict =
    | "go"
    | ({ redirect: string; status?: 301 | 302 | 307 } & Keeping)
    /** `data`: as `step` in the template. */
    | ({ status: number; template?: string; headers?: Record<string, string>; data?: JsonObject } & Keeping)
    /** Another template, or the page's own. */
    | ({ template?: string; data?: JsonObject } & Keeping);

  export interface ResourceContent {
    text?: string;
    base64?: string;
    mimeType?: string;
  }
  export interface ResourceHandlers {
    /** `params`: the names in braces of the address. Null: there is none of this address. */
    read(uri: string, params: Record<string, string>, call: Call): Promise<ResourceContent | string | null>;
  }
  export interface PromptMessage {
    role: "user" | "assistant";
    text: string;
  }
  export type PromptHandler = (
    call: Call,
    args: Record<string, string>,
  ) => Promise<PromptMessage[] | string> | PromptMessage[] | string;

  export interface SearchQuestion {
    readonly collection: string;
    readonly words: string;
    readonly limit: number;
    readonly offset: number;
  }
  export interface SearchHandlers {
    /** Has 500 ms; afterwards the built-in search answers. */
    search(question: SearchQuestion, call: Call): Promise<{ hits: { id: string; score: number }[]; total: number }>;
  }

  // Elements of the admin: `export default class extends HTMLElement`.

  /** Set as `cairn` on every element before it is connected, and again when something changes. */
  export interface AdminApi {
    readonly api: 1;
    readonly user: { id: string; name: string; groups: string[] };
    readonly locale: string;
    readonly theme: "light" | "dark";
    readonly density: string;
    /** `/api/…` only. The token against forgery, signing in again and the request id are done. */
    fetch(path: string, init?: RequestInit): Promise<Response>;
    can(operation: string, subject: string): boolean;
    navigate(path: string): void;
    openObject(collection: string, id: string): void;
    pick(options: { collection: string; multiple?: boolean }): Promise<string[] | null>;
    upload(options: { target: string; file: File }): Promise<Json>;
    toast(text: string, tone?: "good" | "bad"): void;
    confirm(options: { title: string; text: string; danger?: boolean }): Promise<boolean>;
    /** Returns a function that ends it. */
    subscribe(what: "theme" | "locale" | "object", run: () => void): () => void;
    /** The look of the admin, for the shadow root: `root.adoptedStyleSheets = [await this.cairn.styles()]`. */
    styles(): Promise<CSSStyleSheet>;
  }

  /** An element that is a page has these. */
  export interface PageElement {
    cairn: AdminApi;
    route: { path: string; query: Record<string, string> };
  }
  /** An element that edits a value. It sends `cairn-change` with `{value}`, `cairn-busy` with `{promise}`, `cairn-invalid`. */
  export interface FieldElement {
    cairn: AdminApi;
    value: Json | undefined;
    field: FieldContext;
  }
  export interface FieldContext {
    name: string;
    path: string;
    label: string;
    help: string;
    required: boolean;
    readOnly: boolean;
    error: string | null;
    settings: JsonObject;
    locale: string;
    collection: string;
    objectId: string | null;
  }
  /** An element that shows a value in a table. */
  export interface CellElement {
    cairn: AdminApi;
    value: Json | undefined;
    row: JsonObject;
  }
  /** Details of the events that elements send; all of them bubble. */
  export interface ElementEvents {
    /** Undefined clears. */
    "cairn-change": { value: Json | undefined };
    /** Save waits for it. */
    "cairn-busy": { promise: Promise<unknown> };
    "cairn-invalid": { message: string };
    "cairn-title": { text: string };
  }
}

declare module "cairn/testing" {
  import type { Json, JsonObject } from "cairn/extension";

  export interface StartOptions {
    /** The folder of the extension. */
    extension: string;
    /** Its settings. */
    settings?: JsonObject;
    /** With the demo content. */
    demo?: boolean;
    engine?: "sqlite" | "postgres";
    /** Settings of the server, by dotted name. */
    server?: JsonObject;
  }

  export interface TestFetch {
    method?: string;
    headers?: Record<string, string>;
    /** What is no text is sent as JSON. */
    body?: unknown;
    /** `admin` (the key, unless said), `anonymous`, or a group: a user of it is made and signed in. */
    as?: string;
  }

  export interface FakeRequest {
    method: string;
    path: string;
    query: Record<string, string>;
    headers: Record<string, string>;
    body: string;
  }
  export interface FakeAnswer {
    status?: number;
    headers?: Record<string, string>;
    /** What is no text is sent as JSON. */
    body?: unknown;
  }

  export interface TestSite {
    readonly url: string;
    /** An API key for everything. */
    readonly key: string;
    fetch(path: string, options?: TestFetch): Promise<Response>;
    /** Calls a tool, and resolves to its structured result. */
    mcp(tool: string, args?: JsonObject): Promise<JsonObject>;
    /** Runs a command. */
    cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
    /** Reactions and jobs are done. */
    settle(): Promise<void>;
    /** What the extension had logged by the last `settle`. */
    readonly log: readonly { level: string; text: string; data: Json }[];
    /** Answers for a host of the manifest, instead of the network. */
    fakeHost(host: string, answer: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>): void;
    close(): Promise<void>;
  }

  /** A real server on a free port with temporary data, the extension approved and enabled. */
  export function startCairn(options: StartOptions): Promise<TestSite>;
}
