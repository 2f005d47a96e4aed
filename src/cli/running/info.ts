// info: versions, paths and counts of this installation.

import type { Call } from "#cli/call.ts";
import { getInfo } from "#installation/info.ts";

export async function showInfo(call: Call): Promise<void> {
  const info = await call.work(getInfo);
  if (call.isJson) return call.out.json({ ...info });
  const { counts, ...rest } = info;
  await call.out.table(
    ["Cairn", info.version],
    Object.entries({ ...rest, ...counts })
      .filter(([name]) => name !== "version")
      .map(([name, value]) => [name, String(value)]),
  );
}
