// Templates on the wire.

/** One in the list of `GET /api/templates`. */
export interface TemplateFile {
  /** Its path, without the ending. */
  id: string;
  size: number;
  /** ISO time of the last change. */
  updated: string;
}

export interface Template extends TemplateFile {
  template: string;
}

/** One of `GET /api/template-history/{id}`. */
export interface TemplateVersion {
  version: string;
  /** ISO time at which this text was replaced. */
  replaced: string;
}

/** `POST /api/template-preview`: the page, or what is wrong with the template. */
export type TemplatePreview = { html: string } | { errors: TemplateError[] };

export interface TemplateError {
  /** Lines and columns count from 1; 0 where the place is not known. */
  line: number;
  column: number;
  message: string;
  /** The template that has the mistake, where it is one that the tried one includes. */
  template?: string;
}
