// The languages that the code editor knows, and the names that schemas have for them. Pure.

export const codeLanguages = [
  "html",
  "css",
  "javascript",
  "typescript",
  "json",
  "markdown",
  "yaml",
  "xml",
  "liquid",
  "text",
] as const;

export type CodeLanguage = (typeof codeLanguages)[number];

const otherNames: Record<string, CodeLanguage> = {
  htm: "html",
  htmlmixed: "html",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  ts: "typescript",
  tsx: "typescript",
  md: "markdown",
  yml: "yaml",
  svg: "xml",
  rss: "xml",
  twig: "liquid",
};

/** By its name or another common one, `text/css` and `application/json` among them; anything else is plain text. */
export function languageOf(mode: unknown): CodeLanguage {
  if (typeof mode !== "string") return "text";
  const name = mode
    .trim()
    .toLowerCase()
    .replace(/^(text|application)\/(x-)?/, "");
  return codeLanguages.find((language) => language === name) ?? otherNames[name] ?? "text";
}
