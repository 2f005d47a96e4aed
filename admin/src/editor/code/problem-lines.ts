// The line that a refusal of the server names, for the mark in the code: "Line 3: ...", "... (line 3)". Pure.

import type { CodeProblem } from "./code-props.ts";

export function problemsInText(text: string | undefined): CodeProblem[] {
  const [, line] = /\bline (\d+)\b/i.exec(text ?? "") ?? [];
  return line === undefined ? [] : [{ line: Number(line), message: text ?? "" }];
}
