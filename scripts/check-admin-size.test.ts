import assert from "node:assert/strict";
import { test } from "node:test";
import { type Manifest, measure } from "./check-admin-size.ts";

const manifest: Manifest = {
  "index.html": { file: "index.js", css: ["index.css"], imports: ["_shared.js"], isEntry: true },
  "_shared.js": { file: "shared.js" },
  "_grid.js": { file: "grid.js", css: ["grid.css"], imports: ["_shared.js"] },
  "src/pages/home/HomePage.tsx": { file: "home.js", imports: ["index.html"], isDynamicEntry: true },
  "src/pages/things/ThingsPage.tsx": { file: "things.js", imports: ["index.html", "_grid.js"], isDynamicEntry: true },
};

test("the first page is what the entry and the page need, a further one what it needs besides", () => {
  const found = measure(manifest, () => 1_000);
  const kilobytes = Object.fromEntries(found.map((budget) => [budget.what, budget.kilobytes]));
  assert.deepEqual(kilobytes, {
    "first page by src/pages/home/HomePage.tsx, scripts": 3,
    "first page by src/pages/home/HomePage.tsx, styles": 1,
    "src/pages/home/HomePage.tsx": 0,
    "src/pages/things/ThingsPage.tsx": 2,
  });
});
