// Redirects of the website on the wire.

export const redirectStatuses = [301, 302, 307, 308, 410] as const;
export type RedirectStatus = (typeof redirectStatuses)[number];

export const redirectOrigins = ["manual", "import", "moved"] as const;
export type RedirectOrigin = (typeof redirectOrigins)[number];

export interface Redirect {
  id: string;
  /** A path; with `/*` at its end for all below. */
  source: string;
  /** A path of this site or an address; empty with status 410. */
  target: string;
  status: RedirectStatus;
  origin: RedirectOrigin;
  hits: number;
  /** When it last answered; null: never. */
  last: string | null;
  created: string;
  updated: string;
}

/** `POST /api/site/redirects/import`. */
export interface RedirectImport {
  created: number;
  updated: number;
  unchanged: number;
  isDryRun: boolean;
  errors: { line: number; message: string }[];
}
