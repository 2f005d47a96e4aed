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
      return words[problem.code];
    default:
      return words[problem.code](problem.limit);
  }
}
