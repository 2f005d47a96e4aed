// The line that a refusal of the server names, for the mark in the code: "Line 3: ...", "... (line 3)", "... (handler.js:3:7)".
// Pure.

import type { CodeProblem } from "./code-props.ts";

/** A message may name lines of something else: the place in the handler comes first. */
const places = [/\bhandler\.js:(?<line>\d+)(?::(?<column>\d+))?/, /\bline (?<line>\d+)/i];

export function problemsInText(text: string | undefined): CodeProblem[] {
  const { line, column } = places.map((place) => place.exec(text ?? "")).find((found) => found !== null)?.groups ?? {};
  if (line === undefined) return [];
  return [{ line: Number(line), ...(column !== undefined && { column: Number(column) }), message: text ?? "" }];
}
