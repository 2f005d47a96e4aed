import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { readSettings } from "./toolbar-config.ts";

test("without settings there are the usual buttons, three levels of headings and a count of words", () => {
  const { groups, levels, hasWordCount, heightMin, heightMax } = readSettings({});
  deepEqual(groups.flat().slice(0, 4), ["bold", "italic", "underline", "heading"]);
  deepEqual([levels, hasWordCount, heightMin, heightMax], [[2, 3, 4], true, 200, 800]);
});

test("toolbarConfig names groups of buttons; names that are not known are left out", () => {
  deepEqual(readSettings({ toolbarConfig: [["bold", "nothing"], ["codeView"], ["x"]] }).groups, [
    ["bold"],
    ["codeView"],
  ]);
  deepEqual(readSettings({ toolbarConfig: ["bold", "link"] }).groups, [["bold", "link"]]);
  deepEqual(readSettings({ toolbarConfig: { words: ["bold"], blocks: ["heading"] } }).groups, [["bold"], ["heading"]]);
  equal(readSettings({ toolbarConfig: [] }).groups.flat().includes("bold"), true);
});

test("classes, styles and snippets are lists or objects, and get their buttons", () => {
  const box = { label: "Box", value: "<div>{content}</div>" };
  const { inlineClasses, snippets, groups } = readSettings({ inlineClasses: { Lead: "lead" }, htmlSnippets: [box] });
  deepEqual(inlineClasses, [{ label: "Lead", value: "lead" }]);
  deepEqual(snippets, [box]);
  deepEqual(groups[3], ["inlineClasses", "htmlSnippets"]);
});

test("levels, heights and limits are taken where they make sense", () => {
  const read = readSettings({ headingLevels: [1, "3", 9], heightMax: "50px", wordCounterMax: 10, charCounterMax: 100 });
  deepEqual([read.levels, read.heightMin, read.heightMax, read.maxWords], [[1, 3], 200, 200, 10]);
  deepEqual([read.hasCharacterCount, read.maxCharacters], [true, 100]);
});
