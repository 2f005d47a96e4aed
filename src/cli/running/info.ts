// info: versions, paths, counts and sizes of this installation.

import type { Call } from "#cli/call.ts";
import { measureData } from "#installation/data-sizes.ts";
import { getInfo } from "#installation/info.ts";

export async function showInfo(call: Call): Promise<void> {
  const { sizes, ...info } = await call.work(async (ctx) => ({
    ...(await getInfo(ctx)),
    sizes: await measureData(ctx),
  }));
  if (call.isJson) return call.out.json({ ...info, sizes: { ...sizes } });
  const { counts, ...rest } = info;
  const shown = Object.entries(sizes).map(([name, bytes]) => [`size of ${words(name)}`, sizeText(bytes)]);
  await call.out.table(
    ["Cairn", info.version],
    [
      ...Object.entries({ ...rest, ...counts })
        .filter(([name]) => name !== "version")
        .map(([name, value]) => [name, String(value)]),
      ...shown,
    ],
  );
}

function words(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${at === 0 ? bytes : (bytes / 1_000 ** at).toFixed(1)} ${units[at]}`;
}
