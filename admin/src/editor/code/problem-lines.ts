// The line that a refusal of the server names, for the mark in the code: "Line 3: ...", "... (line 3)", "... (handler.js:3:7)".
// Pure.

import type { CodeProblem } from "./code-props.ts";

export function problemsInText(text: string | undefined): CodeProblem[] {
  const { line, column } = /(?:\bline |\bhandler\.js:)(?<line>\d+)(?::(?<column>\d+))?/i.exec(text ?? "")?.groups ?? {};
  if (line === undefined) return [];
  return [{ line: Number(line), ...(column !== undefined && { column: Number(column) }), message: text ?? "" }];
}
