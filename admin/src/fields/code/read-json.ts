// JSON text, or where it stops being JSON. Browsers say that in different words or not at all, so the place is found here. Pure.

import type { Json } from "@contract/json.ts";

export type ReadJson = { value: Json } | { line: number; column: number };

export function readJson(text: string): ReadJson {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    const before = text.slice(0, firstError(text)).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}

const space = /[ \t\n\r]*/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them inside of texts
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;

/** The place of the first piece that JSON does not allow there; the end of the text where it ends too early. */
function firstError(text: string): number {
  const open: ("{" | "[")[] = [];
  let at = 0;
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const length = pattern.exec(text)?.[0].length ?? 0;
    at += length;
    return length > 0;
  };
  const take = (sign: string) => {
    skip(space);
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  };
  const takeKey = () => {
    skip(space);
    return skip(string) && take(":");
  };
  for (;;) {
    skip(space);
    if (take("{")) {
      open.push("{");
      if (!take("}")) {
        if (takeKey()) continue;
        return at;
      }
      open.pop();
    } else if (take("[")) {
      open.push("[");
      if (!take("]")) continue;
      open.pop();
    } else if (!skip(string) && !skip(scalar)) return at;
    // A value has ended, and with it perhaps what it stands in.
    while (open.length > 0 && take(open.at(-1) === "{" ? "}" : "]")) open.pop();
    if (open.length === 0 || !take(",")) {
      skip(space);
      return at;
    }
    if (open.at(-1) === "{" && !takeKey()) return at;
  }
}
