// An object as it is answered.

import type { JsonObject } from "#contract/json.ts";
import type { Ignored } from "./ignored.ts";

export interface ObjectAnswer {
  id: string;
  /** The document as JSON text. */
  text: string;
  /** The text in UTF-8, one byte a character, where it is kept to be sent again; the text itself where that is ASCII. */
  octets?: string;
  /** Quoted, strong. */
  etag: string;
  /** What the caller is to know beside it. */
  meta?: JsonObject;
  /** Properties that were sent and that the schema does not have. */
  ignored?: readonly Ignored[];
}
