// extension:test: runs the tests of extensions by Node's runner, with `cairn/testing` resolved to this installation.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Call } from "#cli/call.ts";
import { UsageError } from "#cli/usage.ts";
import { chosenFolders, installation } from "./project-extensions.ts";

/** The exit code of the runner. */
export async function test(call: Call, _options: unknown, id?: string): Promise<number> {
  const files = (await chosenFolders(call, id)).flatMap(({ folder, files: all }) =>
    [...all].filter((file) => /\.test\.[cm]?[jt]s$/.test(file)).map((file) => join(folder, file)),
  );
  if (files.length === 0) throw new UsageError("There is no test: files that end with .test.ts are tests.");
  const resolver = pathToFileURL(join(installation, "src", "testing", "resolve-testing.ts")).href;
  const args = ["--disable-warning=ExperimentalWarning", "--import", resolver, "--test", ...files];
  // A runner inside of a runner would report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const runner = spawn(process.execPath, args, {
    cwd: call.settings.projectDir,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  runner.stdout.on("data", (text) => call.out.writeNow(text));
  runner.stderr.on("data", (text) => call.host.stderr.write(text));
  return new Promise((resolve, reject) => {
    runner.on("error", reject);
    runner.on("close", (code) => resolve(code ?? 1));
  });
}
