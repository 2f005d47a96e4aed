// A problem of a value in words.

import type { fields } from "#words/en/fields.ts";
import type { Problem } from "./validate.ts";

export function problemText(words: typeof fields, problem: Problem, label: string): string {
  switch (problem.code) {
    case "required":
    case "number":
    case "whole":
      return words[problem.code](label);
    case "enum":
      return words.oneOf(problem.values);
    case "email":
    case "url":
    case "phone":
    case "pattern":
    case "list":
    case "object":
    case "svg":
    case "time":
    case "color":
    case "differs":
    case "spaces":
      return words[problem.code];
    case "json":
      return words.json(problem.line, problem.column);
    default:
      return words[problem.code](problem.limit);
  }
}
