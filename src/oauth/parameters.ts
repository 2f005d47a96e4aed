// The parameters of a request as the RFCs read them: each at most once, and one without a value counts as left out.

import { refuse } from "./errors.ts";

export type Parameters = Readonly<Record<string, string | undefined>>;

/** From a parsed query, form or JSON body. */
export function readParameters(sent: unknown): Parameters {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent))
    return refuse("invalid_request", "The request has no parameters.");
  const parameters: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(sent)) {
    if (typeof value !== "string" || value.includes("\0"))
      refuse("invalid_request", "A parameter is given more than once, or is not text.");
    if (value !== "") parameters[name] = value;
  }
  return parameters;
}
