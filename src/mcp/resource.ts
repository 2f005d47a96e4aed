// The types of resources: as the endpoint lists and reads them, and as features provide them.

import type { Exposure } from "#access/subject.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";

export interface Resource {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

export interface ResourceTemplate {
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

export type ResourceContents = { uri: string; mimeType: string } & (
  | { text: string }
  /** In base64. */
  | { blob: string }
);

/** A feature with resources of its own, below `cairn://{word}/`. The word must be no collection's id. */
export interface ResourceProvider {
  word: string;
  list(ctx: Context): Promise<Resource[]>;
  /** Undefined: there is none, or not for this caller. */
  read(ctx: Context, id: string): Promise<JsonObject | undefined>;
  /** How far it is opened to MCP, for what takes after it; undefined when there is none. */
  exposure(ctx: Context, id: string): Promise<Exposure | undefined>;
}

export const mimeType = "application/json";
export const scheme = "cairn://";
