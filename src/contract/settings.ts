// `GET /api/settings`: every setting with its value and where that comes from.

import type { Json } from "./json.ts";

export const settingSources = ["default", "file", "environment", "saved", "flag"] as const;
/** `file` is cairn.config.json; `saved` what the API and the command line have stored; `flag` an argument of `serve`. */
export type SettingSource = (typeof settingSources)[number];

export interface SettingState {
  /** Dotted: `smtp.host`. */
  key: string;
  /** As in `/api/settings/{section}`. */
  section: string;
  type: "string" | "timezone" | "duration" | "integer" | "number" | "boolean" | "strings" | "object";
  choices?: readonly string[];
  min?: number;
  max?: number;
  label: string;
  about: string;
  /** Null for a secret. */
  default: Json;
  /** Null for a secret. */
  value: Json;
  source: SettingSource;
  /** A change needs a restart. */
  readAtStart: boolean;
  /** The value has changed since the start, and waits for a restart. */
  waits: boolean;
  isSecret: boolean;
  /** It opens something, or leads it elsewhere: a session takes a confirmed password to change it. */
  isPower: boolean;
  /** Of a secret: whether there is one. */
  isSet: boolean;
}
