// files:check.

import type { Call } from "#cli/call.ts";
import { clean, escapeControls } from "#cli/output.ts";
import { checkFiles, type FileProblem } from "#media/uploads/file-sweep.ts";

/** Ends with 1 when a problem is left. */
export function check(call: Call, { fix = false }: { fix?: boolean }): Promise<number> {
  return call.work(async (ctx) => {
    const counts = { orphans: 0, removed: 0, missing: 0 };
    let separator = "[\n  ";
    for await (const problem of checkFiles(ctx, { fix })) {
      if (problem.kind === "missing") counts.missing++;
      else counts[problem.isRemoved ? "removed" : "orphans"]++;
      if (call.isJson) await call.out.write(separator + escapeControls(JSON.stringify(problem)));
      else await call.out.line(clean(describeProblem(problem)));
      separator = ",\n  ";
    }
    if (call.isJson) await call.out.line(separator.startsWith("[") ? "[]" : "\n]");
    else await call.out.line(summary(counts));
    return counts.orphans + counts.missing === 0 ? 0 : 1;
  });
}

function describeProblem(problem: FileProblem): string {
  if (problem.kind === "missing") return `missing  ${problem.key}`;
  return `${problem.isKept ? "kept   " : problem.isRemoved ? "removed" : "orphan "}  ${problem.key}  (${problem.size} bytes)`;
}

function summary({ orphans, removed, missing }: { orphans: number; removed: number; missing: number }): string {
  if (orphans + removed + missing === 0) return "Every file belongs to an object, and none is missing.";
  return `${orphans} without an object, ${removed} removed, ${missing} missing.`;
}
