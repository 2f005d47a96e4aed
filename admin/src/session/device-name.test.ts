import assert from "node:assert/strict";
import { test } from "node:test";
import { readDevice } from "./device-name.ts";

test("ADM-152 a session is named by its browser and system", () => {
  const chrome =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
  assert.deepEqual(readDevice(chrome), { browser: "Chrome", system: "Linux" });
  assert.deepEqual(readDevice(`${chrome} Edg/140.0`), { browser: "Edge", system: "Linux" });
  const phone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604.1";
  assert.deepEqual(readDevice(phone), { browser: "Safari", system: "iOS" });
  assert.deepEqual(readDevice("curl/8.9.1"), { browser: "curl", system: "" });
  assert.deepEqual(readDevice(""), { browser: "", system: "" });
});
