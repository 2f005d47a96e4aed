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
for (let n = 0; n < 50_000; n += 1) {
  const at = (n * 7_919) % count;
  const path = n % 2 === 0 ? `/part${at % 10}/page-${at}` : `/old/${at}`;
  const { recorder } = beginRecord(app.storage);
  const started = performance.now();
  const { kind } = await resolve({ ctx, recorder }, { path, query: new Map(), search: "" });
  times.push((performance.now() - started) * 1_000);
  if (kind !== (n % 2 === 0 ? "page" : "redirect")) throw new Error(`${path} is ${kind}`);
}
const part = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] as number;
// The first ones build the tables. A busy machine takes its time out of some rounds, and leaves others alone.
const rounds = Array.from({ length: 20 }, (_, round) => times.slice(10_000 + round * 2_000, 12_000 + round * 2_000));
const [p50, p99] = [0.5, 0.99].map((share) =>
  part(
    rounds.map((round) => part(round, share)),
    0.5,
  ),
);
const least = Math.min(...rounds.map((round) => part(round, 0.99)));
console.log(JSON.stringify({ first: times[0], p50, p99, least }));
await close();
