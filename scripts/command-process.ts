// A process that runs commands of the executable one after another, each as src/main.ts runs its one: with the arguments,
// environment, folder and input that a message names. Its standard streams carry what commands print; a mark ends each.
// A command has ended when nothing of it would keep a process alive.

import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { installFastResolver } from "#base/fast-resolver.ts";
import { patience } from "#base/patience.fixture.ts";

export interface Asked {
  args: string[];
  env: Record<string, string>;
  cwd: string;
  input: string | Uint8Array;
  mark: string;
}

installFastResolver();
const { runCli } = await import("#cli/commands.ts");

process.on("message", async ({ args, env, cwd, input, mark }: Asked) => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  const before = active();
  const code = await runCli(args, {
    openApp: async (settings, role) => (await import("#app.ts")).openApp(settings, role),
    serve: () => Promise.reject(new Error("a server needs a process of its own")),
    stdin: Readable.from([Buffer.from(input)]),
    stdout: onto(process.stdout),
    stderr: onto(process.stderr),
  });
  await settle(before);
  process.stdout.write(mark);
  process.stderr.write(mark);
  process.send?.(code);
});
process.on("disconnect", () => process.exit());

/** What keeps a process alive, sorted. */
function active(): string[] {
  return process.getActiveResourcesInfo().sort();
}

/** As a process would end: when nothing that the command has opened keeps it alive. */
async function settle(before: string[]): Promise<void> {
  for (const end = Date.now() + patience; ; await sleep(5)) {
    const left = active();
    for (const known of before) if (left.includes(known)) left.splice(left.indexOf(known), 1);
    if (left.length === 0) return;
    if (Date.now() > end) throw new Error(`the command would not end: ${left.join(", ")}`);
  }
}

/** A stream for one command: listeners that it leaves behind go with it. */
function onto(stream: NodeJS.WriteStream): Writable {
  return new Writable({ write: (chunk, _encoding, done) => void stream.write(chunk, done) });
}
