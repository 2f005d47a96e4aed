// Previews of the site on the wire.

/** `POST /api/previews`. The token is part of the address, and shown this once. */
export interface MadePreview {
  id: string;
  url: string;
  /** ISO time. */
  expires: string;
}

/** One of `GET /api/previews`. */
export interface PreviewSummary {
  id: string;
  /** The path of the page; ends with an asterisk where all pages below it are shown. */
  path: string;
  /** The object that was asked for, where it was not a path. */
  collection?: string;
  object?: string;
  shared: boolean;
  /** Name of the maker, such as `user:ada`. */
  maker: string;
  created: string;
  expires: string;
}
