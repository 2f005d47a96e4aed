// Forms of the website: the setting `forms.{name}` of a collection, and what was rejected.

import type { JsonObject } from "./json.ts";

export type FormAccess = "public" | "user";
export type FormChallenge = "none" | "wait" | "proof";

export interface FormGuard {
  /** Links that a sending may hold. */
  links: number;
  /** A sending that holds one of these is rejected. */
  words: string[];
  challenge: FormChallenge;
}

/** For one property with files. */
export interface FormFileRules {
  maxBytes?: number;
  /** Content types, such as `application/pdf` or `image/*`; empty: any. */
  types: string[];
  /** Number of files. */
  max: number;
}

export type FormAction =
  | { type: "mailer"; mailerId: string; replyTo?: string }
  | { type: "webhook"; url: string }
  | { type: "automation"; id: string }
  /** `name`: one of its form actions. */
  | { type: "extension"; extension: string; name: string };

export interface FormDefinition {
  enabled: boolean;
  /** Properties of the schema, in the order in which they are shown. */
  fields: string[];
  files: { [property: string]: FormFileRules };
  access: FormAccess;
  guard: FormGuard;
  actions: FormAction[];
  /** Shown after a sending. */
  message: string;
  /** A path of this site that a sender is led to; empty: back to the page. */
  redirect: string;
  /** Addresses that hear of each sending. */
  notify: string[];
}

export interface ListedForm {
  collection: string;
  name: string;
  enabled: boolean;
  access: FormAccess;
  fields: string[];
  rejected: number;
}

export const rejectReasons = ["trap", "repeated", "links", "words", "guard"] as const;
export type RejectReason = (typeof rejectReasons)[number];

export interface RejectedSending {
  id: string;
  reason: RejectReason;
  values: JsonObject;
  created: string;
}
