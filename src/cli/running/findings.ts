// Findings of a look at a site from outside, with what to do about them.

import type { Call } from "#cli/call.ts";
import type { DoctorCheck } from "#contract/mcp.ts";

/** `conclusion`: the last line. */
export async function printFindings(
  { out }: Call,
  findings: readonly DoctorCheck[],
  conclusion: string,
): Promise<void> {
  await out.table(
    ["RESULT", "CHECK", ""],
    findings.map(({ result, check, message }) => [result, check, message]),
  );
  const advice = findings.filter(({ fix }) => fix !== undefined);
  if (advice.length > 0) await out.line();
  for (const { check, fix } of advice) await out.table([`${check}:`, fix ?? ""], []);
  await out.line();
  await out.line(conclusion);
}
