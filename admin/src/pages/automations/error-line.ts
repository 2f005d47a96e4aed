// The line of the handler that the error of a run names: "... (handler.js:14:3)", "... (line 14)". Pure.

import type { CodeProblem } from "#editor/code/code-props.ts";
import { problemsInText } from "#editor/code/problem-lines.ts";

export function placeOf(error: string | null): Omit<CodeProblem, "message"> | undefined {
  const [found] = problemsInText(error ?? "");
  if (!found) return undefined;
  const { message: _, ...place } = found;
  return place;
}

/** For the mark in the code. */
export function problemOf(error: string | null): CodeProblem | undefined {
  const place = placeOf(error);
  return place && { ...place, message: (error ?? "").replace(/ \((?:handler\.js:[\d:]+|line \d+)\)/, "") };
}
