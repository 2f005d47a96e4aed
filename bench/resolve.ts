// How long it takes to find out which page answers an address, in microseconds.
//   node bench/resolve.ts DATA COUNT

import { loadSettings } from "#config/config.ts";
import { settingRules } from "#installation/setting-rules.ts";
import { beginRecord } from "#site/cache/page-record.ts";
import { resolve } from "#site/pages/resolve.ts";
import { siteContext } from "#site/site-context.ts";
import { openApp } from "../src/app.ts";

const [data = "", pages = ""] = process.argv.slice(2);
const count = Number(pages);
const settings = loadSettings({ projectDir: data, env: {}, flags: { data }, rules: settingRules });
const { app, close } = await openApp(settings, "command");
const ctx = siteContext(app);
const times: number[] = [];
for (let n = 0; n < 30_000; n += 1) {
  const at = (n * 7_919) % count;
  const path = n % 2 === 0 ? `/part${at % 10}/page-${at}` : `/old/${at}`;
  const { recorder } = beginRecord(app.storage);
  const started = performance.now();
  const { kind } = await resolve({ ctx, recorder }, { path, query: new Map(), search: "" });
  times.push((performance.now() - started) * 1_000);
  if (kind !== (n % 2 === 0 ? "page" : "redirect")) throw new Error(`${path} is ${kind}`);
}
// The first ones build the tables.
const later = times.slice(10_000).sort((a, b) => a - b);
const [p50, p99] = [0.5, 0.99].map((part) => later[Math.floor(later.length * part)]);
console.log(JSON.stringify({ first: times[0], p50, p99 }));
await close();
