// A failure inside a tool, as a result that a model can act on: a stable code, what is wrong, and what to do next.
// It never holds the text of an exception; the service's log does.

import { CairnError, type ErrorDetails, type ErrorWord, errorCatalogue } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { prefixOf, withNames } from "./names.ts";
import type { ToolResult } from "./tool.ts";

const nextSteps: Partial<Record<ErrorWord | "declined", string>> = {
  invalid: "Correct what is named and call again. describe_collection shows what a collection takes.",
  "validation-failed": "Correct the named properties and call again. describe_collection shows the rules of each.",
  exists: "Choose another id, or change the existing one with patch_object.",
  "in-use": "Change what uses it first.",
  unauthenticated: "Connect with an API key or by OAuth; without signing in, only what is public can be read.",
  forbidden: "This connection may not do that. Do not try again; ask the administrator of the site for the right.",
  "insufficient-scope": "Connect again and ask for the missing scope.",
  "edition-required": "This feature is not part of the installed edition. Do not try again.",
  "not-found":
    "Check the spelling. list_collections shows the collections, query_collection and search_collection their objects.",
  "precondition-failed":
    "Somebody has changed it since you read it. Read it again with get_object, apply your change to the new version, " +
    "and send its rev.",
  "too-large": "Send less at once.",
  refused: "The file could not be taken from that address. Check the address, or use another one.",
  "rate-limited": "Wait a moment, then call again.",
  unavailable: "Wait a moment, then call again.",
  internal: "Call again once. If it fails again, tell the administrator of the site.",
  "extension-failed": "Tell the administrator of the site: the log of the extension says what happened.",
  declined: "The person said no. Nothing has changed; do not ask again unless they want it.",
};

/** Whether the same call may succeed later. */
const passing = new Set<ErrorWord | "declined">(["rate-limited", "unavailable", "internal"]);

export function failureOf(ctx: Context, error: unknown): ToolResult {
  if (error instanceof CairnError) return failure(ctx, error.word, error);
  ctx.log.error({ err: error }, "a tool failed");
  return failure(ctx, "internal", { message: errorCatalogue.internal.message });
}

export function declined(ctx: Context): ToolResult {
  return failure(ctx, "declined", { message: "It was not confirmed." });
}

interface ErrorText {
  message: string;
  details?: ErrorDetails | undefined;
}

function failure(ctx: Context, code: ErrorWord | "declined", { message, details }: ErrorText): ToolResult {
  const next = withNames(prefixOf(ctx), nextSteps[code] ?? "");
  const lines = Object.entries(details ?? {}).map(([name, messages]) => `- ${name}: ${messages.join("; ")}`);
  const error: JsonObject = { code, message, retry: passing.has(code), ...(details && { details }), next };
  return { structured: { error }, text: [message, ...lines, next].filter(Boolean).join("\n"), isError: true };
}
