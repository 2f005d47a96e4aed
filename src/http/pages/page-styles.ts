// The look of the server's own pages: the tokens and the reset of the admin, and what these few pages need besides. They have
// no script that could set a theme, so they follow the system.

import { readFileSync } from "node:fs";

const styles = new URL("../../../admin/src/styles/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, styles), "utf8");

/** `data-theme` and `data-density` are attributes of the admin: dark is what the system says, and there is one density. */
export function followSystem(css: string): string {
  return minify(css)
    .replace(/,:root\[data-[^\]]*\]/g, "")
    .replace(/:root\[data-density="compact"\]\{[^}]*\}/g, "")
    .replace(/:root\[data-theme="dark"\](\{[^}]*\})/g, "@media (prefers-color-scheme:dark){:root$1}");
}

function minify(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replace(/: /g, ":")
    .replaceAll(";}", "}")
    .trim();
}

/** Three stacked pebbles. */
export const mark = read("mark.svg")
  .trim()
  .replace(/<title>.*?<\/title>/, "")
  .replace("<svg ", '<svg class="mark" width="32" height="32" aria-hidden="true" focusable="false" ')
  .replace(/fill="[^"]*"/, 'fill="currentColor"');

const pageRules = `
@layer pages {
  body { display: flex; flex-direction: column; align-items: center; padding: clamp(var(--space-6), 8vh, 6rem) var(--space-5) var(--space-8); font: var(--text-reading); }
  .brand { display: flex; align-items: center; gap: var(--space-4); margin-block-end: var(--space-6); font: 600 1.375rem / 1.75rem var(--font); letter-spacing: -0.01em; }
  .mark { color: var(--accent); inline-size: 36px; block-size: 36px; }
  main { inline-size: 100%; max-inline-size: 28rem; padding: var(--space-7); background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-slab); overflow-wrap: anywhere; }
  main.wide { max-inline-size: 36rem; }
  main > * + *, section > * + * { margin-block-start: var(--space-4); }
  h1 + p { margin-block-start: var(--space-3); }
  h1 { font: var(--text-h2); }
  h2 { font: var(--text-h3); }
  main > h2 { margin-block-start: var(--space-6); }
  p, li { color: var(--ink-2); }
  strong { color: var(--ink); font-weight: 600; }
  ul { padding-inline-start: 1.25rem; list-style: disc; }
  li + li { margin-block-start: var(--space-2); }
  code { color: var(--ink-3); }
  pre { margin: 0; padding: var(--space-4); overflow-x: auto; background: var(--sunken); border-radius: var(--radius-control); color: var(--ink); }
  form { margin-block-start: var(--space-6); }
  label { display: block; margin-block: var(--space-5) var(--space-2); font: 500 0.875rem / 1.25rem var(--font); color: var(--ink-2); }
  input:not([type="hidden"], [type="checkbox"]) { inline-size: 100%; min-block-size: 44px; padding: 0 var(--space-4); font: var(--text-reading); color: var(--ink); background: var(--surface); border: 1px solid var(--edge); border-radius: var(--radius-control); }
  input[aria-invalid="true"] { border-color: var(--bad); }
  button, .button { display: inline-flex; align-items: center; justify-content: center; min-block-size: 44px; padding: var(--space-3) var(--space-6); font: 600 1rem / 1.5rem var(--font); color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: var(--radius-control); text-decoration: none; cursor: pointer; transition: background var(--quick); }
  button:hover, .button:hover { color: var(--on-accent); background: var(--accent-strong); }
  form > button { margin-block-start: var(--space-6); }
  form > button:only-of-type, .button { inline-size: 100%; }
  .second { color: var(--ink); background: var(--surface); border-color: var(--edge); }
  .second:hover { color: var(--ink); background: var(--sunken); }
  .hint { margin-block-start: var(--space-2); font: var(--text-base); color: var(--ink-3); }
  ul + .hint { margin-block-start: var(--space-5); }
  .error, .note { font: 500 0.875rem / 1.25rem var(--font); }
  .error { margin-block-start: var(--space-2); color: var(--bad); }
  :is(.error, .note)::before { display: inline-grid; place-items: center; inline-size: 1.125em; block-size: 1.125em; margin-inline-end: 0.4em; border-radius: var(--radius-full); font-size: 0.85em; font-weight: 700; line-height: 1; content: "!" / ""; color: var(--surface); background: currentColor; background: var(--bad); }
  .error[role="alert"], .note { padding: var(--space-4); border-radius: var(--radius-control); }
  .error[role="alert"] { margin-block-start: var(--space-5); background: var(--bad-soft); }
  .note { background: var(--warn-soft); color: var(--warn); font-weight: 400; }
  .note::before { background: var(--warn); }
  .note strong { color: inherit; }
  @media (max-width: 30rem) { main { padding: var(--space-6) var(--space-5); } }
  @media (forced-colors: active) { button, .button { border-color: ButtonText; } }
}
`;

export const baseStyles = `@layer reset,tokens,pages;${followSystem(read("reset.css"))}${followSystem(read("tokens.css"))}${minify(pageRules)}`;
