import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "#contract/json.ts";
import type { CheckedFile } from "#rules/upload-rules.ts";
import { checkCount, checkRules } from "./upload-rules.ts";

const file: CheckedFile = {
  name: "Hill-01.jpg",
  mime: "image/jpeg",
  size: 2_048,
  image: { width: 400, height: 300 },
};

const cases: [rule: string, fits: Json[], breaks: Json[]][] = [
  ["size", [{ min: 2, max: 2 }, { max: 3 }, {}, "big"], [{ min: 2.1 }, { max: 1 }]],
  ["width", [{ min: 400, max: 400 }], [{ min: 401 }, { max: 399 }]],
  ["height", [{ min: 300 }], [{ max: 299 }]],
  ["orientation", ["landscape", ["square", "landscape"], ""], ["portrait", "square", ["portrait"]]],
  ["aspectratio", ["4:3", "4.02:3", ["1:1", "4:3"], "nonsense", "0:0"], ["16:9", "3:4", ["1:1"]]],
  [
    "filetype",
    [["image/png", "image/jpeg"], ["image/*"], "image/jpeg", [".JPG"], []],
    [["image/png"], ["video/*", ".png"]],
  ],
  [
    "filename",
    [["hill-01.jpg"], ["*.jpg"], ["x", "hill-*"], ["h*l*1.j*"], ["*"]],
    [["hill"], ["*.png"], ["h*x*.jpg"], ["hill-01.jpg*g"]],
  ],
];

for (const [rule, fits, breaks] of cases) {
  test(`PF-21 the rule ${rule} is named when a file breaks it`, () => {
    for (const value of fits) checkRules({ rules: { [rule]: value } }, file);
    for (const value of breaks) {
      assert.throws(
        () => checkRules({ rules: { [rule]: value } }, file),
        ({ status, message }) => status === 400 && message.includes(`"${rule}"`),
        JSON.stringify(value),
      );
    }
  });
}

test("PF-21 rules of images say nothing about other files, and no rules nothing at all", () => {
  const { image: _, ...text } = file;
  checkRules({ rules: { width: { min: 9_999 }, orientation: "portrait" } }, text);
  for (const rules of [undefined, null, [], "x"]) checkRules(rules === undefined ? {} : { rules }, file);
});

test("PF-21 the number of files has a most", () => {
  checkCount({ rules: { count: { max: 2, min: 5 } } }, 2);
  assert.throws(() => checkCount({ rules: { count: { max: 2 } } }, 3), { status: 400 });
});
