// Templates of pages, parsed and kept. A save moves the version `templates` in every process; a file that was changed by other
// means is noticed within a second.

import type { Template } from "liquidjs";
import { stateOf } from "./define.ts";
import { parseSiteTemplate } from "./engine.ts";
import { type LayoutState, layoutTag } from "./tags/layout.ts";
import type { ParsedTemplate, TemplateSource } from "./template-source.ts";

/** `filters`: names that extensions add. */
export function parseTemplate(
  id: string,
  text: string,
  isMarkup: boolean,
  filters?: ReadonlySet<string>,
): ParsedTemplate {
  const templates = parseSiteTemplate(text, { id, isMarkup, filters });
  const layouts = templates.filter((template) => stateOf(template)?.tag === layoutTag);
  const first = templates.findIndex((template) => !isBlank(template));
  if (layouts.length > 1 || (layouts.length === 1 && templates[first] !== layouts[0]))
    throw new Error("{% layout %} must be the first tag of a template, once");
  const state = layouts[0] && (stateOf(layouts[0])?.state as LayoutState);
  return { id, text, templates: templates.filter((template) => template !== layouts[0]), layout: state?.name };
}

/** Space and comments before the layout print nothing. */
function isBlank(template: Template): boolean {
  const { token } = template as unknown as { token: { getText(): string; name?: string } };
  return token.getText().trim() === "" || token.name === "comment" || token.name === "#";
}

/** Templates by id as texts; for tests, and for texts that are laid over stored ones. */
export function templatesFrom(texts: ReadonlyMap<string, string>, isMarkup: boolean): TemplateSource {
  const parsed = new Map<string, ParsedTemplate>();
  return {
    async load(id) {
      const text = texts.get(id);
      if (text === undefined) return undefined;
      const known = parsed.get(id) ?? parseTemplate(id, text, isMarkup);
      parsed.set(id, known);
      return known;
    },
    ids: async () => [...texts.keys()],
  };
}
