// Each language is fetched when an editor first shows it.

import type { Extension } from "@codemirror/state";
import type { CodeLanguage } from "./modes.ts";

const loaders: Record<CodeLanguage, () => Promise<Extension>> = {
  html: async () => (await import("@codemirror/lang-html")).html({ autoCloseTags: false }),
  css: async () => (await import("@codemirror/lang-css")).css(),
  javascript: async () => (await import("@codemirror/lang-javascript")).javascript({ jsx: true }),
  typescript: async () => (await import("@codemirror/lang-javascript")).javascript({ typescript: true }),
  json: async () => (await import("@codemirror/lang-json")).json(),
  markdown: async () => (await import("@codemirror/lang-markdown")).markdown({ completeHTMLTags: false }),
  yaml: async () => (await import("@codemirror/lang-yaml")).yaml(),
  xml: async () => (await import("@codemirror/lang-xml")).xml({ autoCloseTags: false }),
  liquid: async () => (await import("@codemirror/lang-liquid")).liquid(),
  text: async () => [],
};

/** What cannot be fetched is shown without colours. */
export async function loadLanguage(language: CodeLanguage): Promise<Extension> {
  try {
    return await loaders[language]();
  } catch {
    return [];
  }
}
