// A request for a page of the site, and its answer: what passes between the HTTP door, the page cache, pages and templates.

import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Caller } from "#lanes/caller.ts";

export interface Visitor {
  id: string;
  name: string;
  groups: readonly string[];
}

export interface PageRequest {
  /** As sent, still encoded; begins with one slash, holds no query. */
  path: string;
  /** Decoded; the first value where a name occurs twice. */
  query: ReadonlyMap<string, string>;
  /** All of them, for code that says itself what it has read. */
  everyParameter?(): ReadonlyMap<string, string>;
  /** As sent, without the question mark. */
  search: string;
  method: "GET" | "HEAD" | "POST";
  locale: string;
  /** The client wants JSON and no HTML. */
  wantsJson: boolean;
  /** Looked up when it is needed; whoever calls tells the recorder. */
  visitor(): Promise<Visitor | undefined>;
  /** What steps of extensions see of the request. They record what they read. */
  sent?: SentRequest | undefined;
  /** The caller by the rules of the API, for the page as data; the answer is for this caller alone. Absent: the public. */
  caller?(): Promise<Context>;
  /** In whose name the page is rendered, where that counts; looked up when it is. Absent: the service's own. */
  renderer?(): Promise<Caller>;
  /** The token of the visitor's session, for a form that needs it; undefined: nobody is signed in. */
  formToken?(): Promise<string | undefined>;
  /** Set while somebody looks at what is not public yet (site/previews). */
  preview?: PagePreview | undefined;
  /** A form of this page was sent and refused: its values and errors (site/forms). */
  sentForm?: SentForm | undefined;
  requestId: string;
  /** Filled while the page is made, for the panel of `cairn dev`. */
  notes?: PageNotes | undefined;
}

export interface SentRequest {
  /** Without credentials. */
  headers(): Record<string, string>;
  /** Without those of the service. */
  cookies(): Record<string, string>;
  visitor(): Promise<Visitor | undefined>;
}

/** For the one who builds the site. */
export interface TemplateWarning {
  text: string;
  template: string;
  /** 0: it has no place. */
  line: number;
}

/** What the one who builds the site should know about a page. */
export interface PageNotes {
  warnings: TemplateWarning[];
  queries: { what: string; ms: number }[];
}

export interface PagePreview {
  /** Addresses carry it on; empty where a template is tried and no address shows the result. */
  token: string;
  /** Values laid over stored objects: `{collection}/{id}` -> properties. */
  values: ReadonlyMap<string, JsonObject>;
  /** Texts laid over stored templates, by id. */
  templates: ReadonlyMap<string, string>;
  /** The maker of the preview may read drafts of this collection now. */
  showsDrafts(collection: string): boolean;
  /** The maker may read templates, so mistakes in them are shown. */
  showsErrors: boolean;
}

export interface SentForm {
  /** `{collection}/{name}`. */
  form: string;
  values: JsonObject;
  errors: Readonly<Record<string, readonly string[]>>;
}

export interface PageAnswer {
  status: number;
  /** Lower-case names; content type and policy included, no cookie. */
  headers: Record<string, string>;
  body: string;
  /** For one visitor: never kept, never shared. */
  isPrivate: boolean;
}
