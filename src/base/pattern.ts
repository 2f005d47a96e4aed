// Regular expressions written by users, in time linear to the text: no backtracking, whatever the pattern.
// Look-around and back-references do not exist here. Both the pattern and the text have bounds.

import type * as Re2 from "re2js";
import { createLru } from "./caches/lru.ts";
import { lazily } from "./lazy.ts";

const re2 = lazily<typeof Re2>("re2js");

export interface Pattern {
  test(text: string): boolean;
}

const maxSourceLength = 1_000;
/** Instructions of the compiled pattern; each character of a text costs at most this many steps. */
const maxProgramSize = 2_000;
/** Longer texts match no pattern. */
const maxTextLength = 100_000;
/** Characters times instructions, for all texts that are matched together: a hundred milliseconds. */
const maxSteps = 2_000_000;
let stepsLeft = maxSteps;

/** There is too much text for the patterns. */
export class PatternTooExpensive extends Error {
  constructor() {
    super("There is more text than can be matched against the pattern");
  }
}

/** Called before each piece of work that matches texts against patterns; it cannot be interrupted. */
export function resetPatternBudget(): void {
  stepsLeft = maxSteps;
}

const compiled = createLru<Pattern | Error>(1_000);

/** Throws an Error that describes the problem of the pattern. */
export function compilePattern(source: string): Pattern {
  let pattern = compiled.get(source);
  if (!pattern) {
    pattern = compile(source);
    compiled.set(source, pattern);
  }
  if (pattern instanceof Error) throw pattern;
  return pattern;
}

function compile(source: string): Pattern | Error {
  if (source.length > maxSourceLength) return new Error(`a pattern may have at most ${maxSourceLength} characters`);
  try {
    const { RE2JS } = re2();
    const program = RE2JS.compile(RE2JS.translateRegExp(source));
    const size = program.programSize();
    if (size > maxProgramSize) return new Error("the pattern is too complex");
    return {
      test(text) {
        if (text.length > maxTextLength) return false;
        stepsLeft -= text.length * size;
        if (stepsLeft < 0) throw new PatternTooExpensive();
        return program.test(text);
      },
    };
  } catch (error) {
    return new Error(`the pattern is not supported: ${unsupportedPart(source) ?? (error as Error).message}`);
  }
}

/** Parts of other engines that people know. */
function unsupportedPart(source: string): string | undefined {
  if (/\(\?<?[=!]/.test(source)) return "look-ahead and look-behind do not exist here";
  return /\\(?:[1-9]|k<)/.test(source) ? "back-references do not exist here" : undefined;
}
