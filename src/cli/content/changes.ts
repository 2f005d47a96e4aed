// changes:follow, history:prune and history:verify.

import { fail } from "#base/errors.ts";
import type { Call } from "#cli/call.ts";
import { escapeControls } from "#cli/output.ts";
import { pruneHistory } from "#content/history/prune.ts";
import { verifyHistory } from "#content/history/seal.ts";
import { followChanges } from "#review/stream/follow.ts";

interface FollowOptions {
  after?: string;
  untilEnd?: boolean;
}

export async function follow(call: Call, { after, untilEnd }: FollowOptions): Promise<void> {
  await call.work(async (ctx) => {
    for await (const change of followChanges(ctx, { after, isUntilEnd: untilEnd }))
      await call.out.line(escapeControls(JSON.stringify(change)));
  });
}

export async function prune(call: Call): Promise<void> {
  const pruned = await call.work(pruneHistory);
  if (call.isJson) return call.out.json({ ...pruned });
  const { deletions, changes, records, files } = pruned;
  await call.out.line(
    `${deletions} deleted objects, the old values of ${changes} changes, ${records} whole records and ${files} dropped files ` +
      "are gone for good.",
  );
}

export async function verify(call: Call): Promise<void> {
  const { findings, seals, records, root } = await call.work(verifyHistory);
  const { out } = call;
  if (call.isJson) await out.json({ seals, records, root, findings: findings.map((finding) => ({ ...finding })) });
  else {
    for (const { what, seal, change } of findings)
      await out.line(
        `Seal ${seal}: ${what === "seal" ? "its hash is wrong" : `a record was ${what}`}${change ? ` (${change})` : ""}.`,
      );
    await out.line(`${records} records under ${seals} seals. The last root is ${root || "not there yet"}.`);
  }
  if (findings.length > 0) fail("invalid", "The log of changes is not as it was sealed.");
}
