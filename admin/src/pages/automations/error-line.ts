// The line of the handler that the error of a run names: "... (handler.js:14:3)", "... (line 14)". Pure.

import type { CodeProblem } from "#editor/code/code-props.ts";

export function placeOf(error: string | null): Omit<CodeProblem, "message"> | undefined {
  const found = /handler\.js:(\d+)(?::(\d+))?|\bline (\d+)\b/.exec(error ?? "");
  if (!found) return undefined;
  const [, line, column, other] = found;
  return { line: Number(line ?? other), ...(column !== undefined && { column: Number(column) }) };
}

/** For the mark in the code. */
export function problemOf(error: string | null): CodeProblem | undefined {
  const place = placeOf(error);
  return place && { ...place, message: (error ?? "").replace(/ \((?:handler\.js:[\d:]+|line \d+)\)/, "") };
}
