import assert from "node:assert/strict";
import { test } from "node:test";
import { isDataPath } from "./front-controller.ts";

const closed = [["data"], ["site-content"], ["store", "inner"]];

for (const path of [
  "/data",
  "/data/",
  "/data/.system/logs/mcp.log",
  "/DATA/x",
  "/data./x",
  "/data.%20/x",
  "//data/x",
  "/./data/x",
  "/x/../data/y",
  "/%64ata/x",
  "/%2564ata/x",
  "/%2e/data/x",
  "/x/%2e%2e/data",
  "/x/%252e%252e/data",
  "/data%2f.schemas/x.json",
  "/data%5cx",
  "\\data\\x",
  "/data\\x",
  "/data%00/x",
  "/ｄａｔａ/x",
  "/%EF%BD%84ata/x",
  "/Site-Content/cairn.db",
  "/store/inner/x",
  "/store//inner",
  "/data/../x",
  "/data%2f..%2fx",
  "/./data/../x",
])
  test(`FRONT-6 ${path} is closed (T55)`, () => {
    assert.equal(isDataPath(path, closed), true);
  });

for (const path of ["/", "/database/x", "/store/x", "/x/data", "/api/data", "/data-sheet.pdf", "/%zz"])
  test(`FRONT-6 ${path} is not the data directory`, () => {
    assert.equal(isDataPath(path, closed), false);
  });
