// Addresses within the admin, as the router knows them: a link to a page that is not there does not compile.

import type { RegisteredRouter } from "@tanstack/react-router";

export type AdminPath = keyof RegisteredRouter["routesByPath"];

/** Search parameters are texts; brackets and commas stay readable. A parameter that is undefined is left out. */
export interface Search {
  [name: string]: string | undefined;
}

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

export function writeSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "";
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `?${text.replace(/%(5B|5D|2C|3A|2F)/g, (code) => decodeURIComponent(code))}`;
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Set where only the address changes: the page stays as it is, and so does the focus. */
    keepFocus?: boolean;
  }
}
