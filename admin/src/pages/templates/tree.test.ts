import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { foldersAbove, includedIn, keyOf, treeOf, visibleNodes } from "./tree.ts";

const ids = ["a", "pages/home", "pages", "pages/deep/one", "b10", "b2"].map((id) => ({ id }));

test("ADM-673 paths become a tree, folders first", () => {
  const tree = treeOf(ids);
  deepEqual(visibleNodes(tree, new Set()).map(keyOf), ["pages/", "a", "b2", "b10", "pages"]);
  deepEqual(
    visibleNodes(tree, new Set(["pages"]))
      .map(keyOf)
      .slice(0, 3),
    ["pages/", "pages/deep/", "pages/home"],
  );
  deepEqual(foldersAbove("pages/deep/one"), ["pages", "pages/deep"]);
  deepEqual(
    visibleNodes(tree, new Set(foldersAbove("pages/deep/one")))
      .map(({ level }) => level)
      .slice(0, 4),
    [1, 2, 3, 2],
  );
});

test("ADM-676 the templates that a text includes are found by their quoted names", () => {
  const text = `{% layout "layouts/plain" %}{%- render 'partials/card.liquid', a: 1 -%}{% include name %}{{ "x" }}`;
  deepEqual([...includedIn(text)], ["layouts/plain", "partials/card"]);
});
