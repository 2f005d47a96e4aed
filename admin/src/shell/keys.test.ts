import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyEvent, normalKeys, readPress, shownKeys } from "./keys.ts";

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const press = (key: string, more: Partial<KeyEvent> = {}): KeyEvent => ({ key, timeStamp: 0, ...none, ...more });

test("ADM-141 a key press is one shortcut, on a Mac too", () => {
  assert.equal(readPress(press("k", { ctrlKey: true }))?.keys, normalKeys("Ctrl+K"));
  assert.equal(readPress(press("k", { metaKey: true }))?.keys, normalKeys("mod+k"));
  assert.equal(readPress(press("K", { ctrlKey: true, shiftKey: true }))?.keys, normalKeys("Ctrl+Shift+K"));
  assert.equal(readPress(press("?", { shiftKey: true }))?.keys, normalKeys("?"));
  assert.equal(readPress(press("F6"))?.keys, normalKeys("F6"));
  assert.equal(readPress(press("+", { ctrlKey: true }))?.keys, normalKeys("Ctrl++"));
  assert.equal(readPress(press("Control", { ctrlKey: true })), undefined);
  assert.equal(readPress(press("k", { isComposing: true })), undefined);
});

test("ADM-141 two keys that follow each other are a pair", () => {
  const first = readPress(press("g"));
  assert.equal(readPress(press("h", { timeStamp: 500 }), first)?.keys, "g h");
  assert.equal(readPress(press("h", { timeStamp: 9_000 }), first)?.keys, "h");
  assert.equal(readPress(press("h", { timeStamp: 500, ctrlKey: true }), first)?.keys, "ctrl+h");
  assert.equal(readPress(press("h"), undefined)?.keys, "h");
});

test("ADM-141 keys are shown in one spelling", () => {
  assert.deepEqual(["mod+s", "Ctrl+K", "g h", "?", "mod+Enter"].map(shownKeys), [
    "Ctrl+S",
    "Ctrl+K",
    "g h",
    "?",
    "Ctrl+Enter",
  ]);
});
