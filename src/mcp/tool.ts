// The type of tools: the description, the callers that see it, and the call.
// A tool calls operations of content and the other features; it never decides about access itself.

import type { Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Scope } from "#contract/scopes.ts";

export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export interface ToolCall {
  /** Asks the person before the client; absent when the client cannot ask. */
  confirm?(message: string): Promise<boolean>;
  progress?(done: number, total?: number): void;
  signal: AbortSignal;
}

export interface ToolResult {
  /** Shared between calls: not to be changed. Of a failure it is `{error}`, which fits no output schema: leave it out. */
  structured: JsonObject;
  /** For clients that read no structured content: the same as JSON text; of a failure what is wrong and what to do next. */
  text: string;
  isError?: true;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** JSON Schema 2020-12 of the arguments, an object. */
  input: JsonObject;
  /** JSON Schema 2020-12 of the structured content, an object. */
  output: JsonObject;
  annotations: Annotations;
  /** What it does to the collection that its argument `collection` names; reading when it is left out. */
  operation?: Operation;
  /** It may ask the person before it changes anything (`ToolCall.confirm`). */
  mayAsk?: true;
  /** The scope that a token needs for it, beside `mcp:tools`. */
  scope: Scope | undefined;
  /** Whether this caller is shown the tool; asked again at every call. */
  isVisible(ctx: Context): boolean | Promise<boolean>;
  /** Failures inside are results with `isError`; it throws only for faults of the service. */
  call(ctx: Context, args: JsonObject, call: ToolCall): Promise<ToolResult>;
}
