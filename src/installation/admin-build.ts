// The build of the admin web app: made once by a server that starts without one, or with one older than its sources.
// A child process builds, so that the server answers meanwhile; scripts/build-admin.ts holds the lock between servers.

import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Logger } from "pino";
import { installationRoot, isAdminFresh } from "./admin-freshness.ts";

const script = join(installationRoot, "scripts", "build-admin.ts");
/** As much of what the build says as a log line should hold. */
const maxReason = 2_000;

export interface AdminBuildEnd {
  /** Why there is no new build. */
  problem?: string;
}

export interface AdminBuild {
  /** Resolves once it is known that the build is fresh, or the attempt to make one has ended. */
  readonly ended: Promise<AdminBuildEnd>;
}

/** Nothing is built here: another process does it, or nobody. */
export const noAdminBuild: AdminBuild = { ended: Promise.resolve({}) };

export interface BuildOptions {
  /** Of the server, without a slash at its end. */
  address: string;
  log: Logger;
  /** Ends a build that runs. */
  signal: AbortSignal;
}

/** Tells the console before and after; a failure is one line in the log, and the server goes on. */
export async function buildAdmin({ address, log, signal }: BuildOptions): Promise<AdminBuildEnd> {
  try {
    if (await isAdminFresh()) return {};
    console.error("Building the admin web app, once ...");
    await runScript(signal);
    console.error(`The admin web app is ready at ${address}/admin`);
    return {};
  } catch (error) {
    if (signal.aborted) return {};
    const problem = (error as Error).message;
    log.error({ reason: problem }, "the admin web app could not be built; npm run build:admin tries again");
    return { problem };
  }
}

function runScript(signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script], {
      cwd: installationRoot,
      stdio: ["ignore", "pipe", "pipe"],
      signal,
    });
    let said = "";
    const listen = (chunk: Buffer) => {
      said = (said + chunk.toString("utf8")).slice(-maxReason);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("error", failed);
    child.once("close", (code, killed) =>
      code === 0 ? done() : failed(new Error(said.trim() || `the build ended with ${code ?? killed}`)),
    );
  });
}
