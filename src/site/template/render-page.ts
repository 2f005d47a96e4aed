// Renders the template of a page. The engine behind it is for pages alone; mails and prompts use liquid.ts.

import type { JsonObject } from "#contract/json.ts";
import type { PageAnswer, PageRequest, TemplateWarning } from "#site/pages/page-request.ts";
import type { Recorder } from "./recorder.ts";

/** What the page brings; the engine adds `site`, `request`, `user`, `now`. */
export interface PageValues {
  /** The id of the template, such as `pages/about`. */
  template: string;
  /** The ending of the route decides about escaping and the content type: "html", "xml", "json", "txt" ... */
  kind: string;
  /** The record of `builder-pages`, with `url`; undefined for addresses of objects without a record. */
  page?: JsonObject | undefined;
  /** The bound object. */
  object?: { collection: string; id: string } | undefined;
  params: Readonly<Record<string, string>>;
  /** Names that the author of a tried template has made up; they come before those of the site. */
  data?: JsonObject | undefined;
  /** On pages of status 4xx and 5xx. */
  error?: { status: number; requestId: string } | undefined;
}

/** Outcome of a template: text and what its tags asked for, or a decision that ends the page. */
export type Rendered =
  | {
      kind: "page";
      body: string;
      headers: Record<string, string>;
      /** Hashes of inline scripts and styles, as a policy names them: `sha256-...`. */
      scripts: readonly string[];
      styles: readonly string[];
      /** For the panel of the one who builds the site; empty in production. */
      warnings?: readonly TemplateWarning[];
    }
  | { kind: "redirect"; target: string; status: number }
  | { kind: "abort"; status: number };

export type RenderPage = (values: PageValues, request: PageRequest, recorder: Recorder) => Promise<Rendered>;

export type AnswerPage = (request: PageRequest, recorder: Recorder) => Promise<PageAnswer>;
