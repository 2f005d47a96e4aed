// A parsed template, and where a rendering takes templates from. Types alone.

import type { Template } from "liquidjs";

export interface ParsedTemplate {
  id: string;
  text: string;
  templates: Template[];
  /** As its tag names it; undefined: it has no such tag. */
  layout: string | false | undefined;
}

/** For one rendering: its kind of text decides how templates are parsed. */
export interface TemplateSource {
  /** Undefined: there is none. Throws where it cannot be parsed. */
  load(id: string): Promise<ParsedTemplate | undefined>;
  /** For names that come near. */
  ids(): Promise<readonly string[]>;
}
