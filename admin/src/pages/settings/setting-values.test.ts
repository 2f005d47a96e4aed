import assert from "node:assert/strict";
import { test } from "node:test";
import type { SettingState } from "@contract/settings.ts";
import { findSettings, formOf, readTyped } from "./setting-values.ts";

const setting = (more: Partial<SettingState>): SettingState => ({
  ...{ key: "smtp.port", section: "smtp", type: "integer", label: "Port", about: "Of the mail server." },
  ...{ default: 587, value: 587, source: "default", readAtStart: false, waits: false, isSecret: false, isSet: false },
  isPower: false,
  ...more,
});

test("ADM-921 settings are typed as text, and read back with their bounds", () => {
  assert.deepEqual(formOf([setting({}), setting({ key: "a.b", type: "object", value: { x: 1 } })]), {
    "smtp/port": "587",
    "a/b": '{\n  "x": 1\n}',
  });
  const port = setting({ min: 1, max: 65_535 });
  assert.deepEqual(readTyped(port, "25"), { value: 25 });
  for (const [typed, problem] of [
    ["", "notANumber"],
    ["many", "notANumber"],
    ["1.5", "notWhole"],
    ["0", "tooSmall"],
    ["70000", "tooLarge"],
  ])
    assert.deepEqual(readTyped(port, typed as string), { problem }, typed);
  assert.deepEqual(readTyped(setting({ type: "object" }), "[]"), { problem: "notAnObject" });
  assert.deepEqual(readTyped(setting({ type: "boolean" }), true), { value: true });
});

test("ADM-922 a setting is found by its key, its label and its description", () => {
  const all = [setting({}), setting({ key: "api.cors", label: "CORS", about: "Origins." })];
  assert.deepEqual(
    findSettings(all, "mail server").map(({ key }) => key),
    ["smtp.port"],
  );
  assert.deepEqual(
    findSettings(all, "API cors").map(({ key }) => key),
    ["api.cors"],
  );
  assert.equal(findSettings(all, "nothing of these").length, 0);
});
