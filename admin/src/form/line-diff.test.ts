import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { lineDiff } from "./line-diff.ts";

const shown = (before: string, after: string) =>
  lineDiff(before, after).map((line) =>
    line.kind === "skipped" ? `… ${line.count}` : `${line.kind[0]}${line.line} ${line.text}`,
  );

test("ADM-679 a difference by lines shows what changed and a few lines around it", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `l${at + 1}`);
  const changed = lines.with(9, "new").join("\n");
  deepEqual(shown(lines.join("\n"), changed), [
    "… 6",
    ...["s7 l7", "s8 l8", "s9 l9", "r10 l10", "a10 new", "s11 l11", "s12 l12", "s13 l13"],
    "… 7",
  ]);
  deepEqual(shown("a", "a"), ["… 1"]);
  deepEqual(shown("a\nb", "a"), ["s1 a", "r2 b"]);
});
