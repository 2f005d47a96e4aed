// backup:create, backup:verify, backup:restore-all: the whole site in one file.

import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { CairnError } from "#base/errors.ts";
import { version } from "#base/version.ts";
import type { Call } from "#cli/call.ts";
import { withProgress } from "#cli/progress.ts";
import { canAsk, confirm } from "#cli/prompts.ts";
import { UsageError } from "#cli/usage.ts";
import { requireNotedEngine } from "#config/site.ts";
import type { Json } from "#contract/json.ts";
import { createBackup } from "#sync/backups/create.ts";
import { openBackup, restoreBackup } from "#sync/backups/restore.ts";
import { verifyBackup } from "#sync/backups/verify.ts";

export async function create(call: Call, options: { force?: boolean }, file: string): Promise<void> {
  if (existsSync(file) && !options.force) {
    throw new UsageError("The file exists already: add --force to replace it.");
  }
  // Requests of the server come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const summary = await withProgress(call.host.stderr, "Backing up", (report) =>
    call.work((ctx) => createBackup(ctx, file, { version, onProgress: (rows, total) => report(rows, rows, total) })),
  );
  if (call.isJson) return call.out.json({ file, ...summary } as unknown as Json);
  await call.out.line(`${summary.objects} objects and ${summary.files} files are in ${file}.`);
  call.remark("It contains every secret of the site, the site key included: keep it as safe as the server.");
}

export async function verify(call: Call, _options: unknown, file: string): Promise<number> {
  const verdict = await withProgress(call.host.stderr, "Checking", (report) =>
    verifyBackup(file, (done, total) => report(done, done, total)),
  );
  if (call.isJson) await call.out.json({ file, ...verdict } as unknown as Json);
  else if (verdict.isWhole) {
    const { objects, files, created } = verdict;
    await call.out.line(`${file} is complete: ${objects} objects and ${files} files, as of ${created}.`);
  }
  if (!call.isJson) for (const problem of verdict.problems) call.remark(problem);
  return verdict.isWhole ? 0 : 1;
}

export async function restore(call: Call, options: { force?: boolean }, file: string): Promise<number> {
  const backup = await openBackup(file);
  const attempt = (force: boolean) =>
    withProgress(call.host.stderr, "Restoring", (report) => {
      // Otherwise the place looks empty, because the database with the site is not checked.
      if (!force) requireNotedEngine(call.settings);
      return call.work(
        (ctx) => restoreBackup(ctx, backup, { force, onProgress: (rows, total) => report(rows, rows, total) }),
        "restore",
      );
    });
  let summary: Awaited<ReturnType<typeof attempt>> | undefined;
  try {
    summary = await attempt(options.force === true).catch(async (error) => {
      const isOccupied = error instanceof CairnError && error.word === "exists";
      if (!isOccupied || !canAsk(call.host)) throw error;
      const isAgreed = await confirm(call.host, "There is a site here already. Destroy it and restore the backup?");
      return isAgreed ? attempt(true) : undefined;
    });
  } finally {
    backup.archive.close();
  }
  if (!summary) return 1;
  if (call.isJson) await call.out.json(summary as unknown as Json);
  else
    await call.out.line(
      `${summary.objects} objects and ${summary.files} files are restored, as of ${summary.created}.`,
    );
  return 0;
}
