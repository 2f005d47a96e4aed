// A process that runs commands of the executable one after another, servers among them, each as src/main.ts runs its one: with
// the arguments, environment, folder and input that a message names (decision 026). Its standard streams are files; what was
// printed is complete when the end is reported. A command has ended when nothing of it would keep a process alive.

import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { installFastResolver } from "#base/fast-resolver.ts";
import { cost } from "#base/passwords.ts";
import { patience } from "#base/patience.fixture.ts";

export interface Asked {
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** In base64. */
  input: string;
}

/** What the process says: that something was printed, then that the command has ended. */
export type Said =
  | { type: "printed" }
  | { type: "ended"; code: number; left: string[]; seconds: number }
  | { type: "free" };

installFastResolver();
// Tests set and check passwords a thousand times. Each hash names its cost, so that other processes read it as well.
cost.memory = 64;
cost.passes = 1;
const { runCli } = await import("#cli/commands.ts");

const signals = ["SIGTERM", "SIGINT"] as const;
const usualMask = process.umask();
const say = (said: Said) => process.send?.(said);

// The ready line of a server is printed like this.
const write = process.stdout.write.bind(process.stdout) as (...args: unknown[]) => boolean;
process.stdout.write = (...args: unknown[]) => {
  const isDone = write(...args);
  say({ type: "printed" });
  return isDone;
};

process.on("message", async ({ args, env, cwd, input }: Asked) => {
  const began = secondsUsed();
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  const before = active();
  const code = await runCli(args, {
    openApp: async (settings, role) => (await import("#app.ts")).openApp(settings, role),
    serve: async (settings, options) => (await import("#serve.ts")).serve(settings, options),
    stdin: Readable.from([Buffer.from(input, "base64")]),
    stdout: onto(process.stdout),
    stderr: onto(process.stderr),
  });
  const left = await settle(before);
  // What would happen as the process ends.
  for (const listener of process.rawListeners("exit")) if ("listener" in listener) listener(code);
  for (const signal of signals) process.removeAllListeners(signal);
  process.umask(usualMask);
  process.chdir("/");
  say({ type: "ended", code, left, seconds: secondsUsed() - began });
  if (left.length === 0) say({ type: "free" });
  else process.exit(1);
});
process.on("disconnect", () => process.exit());

function secondsUsed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** What keeps a process alive, sorted. */
function active(): string[] {
  return process.getActiveResourcesInfo().sort();
}

/** As a process would end: when nothing that the command has opened keeps it alive. Answers what never ended. */
async function settle(before: string[]): Promise<string[]> {
  for (const end = Date.now() + patience; ; await sleep(5)) {
    const left = active();
    for (const known of before) if (left.includes(known)) left.splice(left.indexOf(known), 1);
    if (left.length === 0 || Date.now() > end) return left;
  }
}

/** A stream for one command: listeners that it leaves behind go with it. */
function onto(stream: NodeJS.WriteStream): Writable {
  return new Writable({ write: (chunk, _encoding, done) => void stream.write(chunk, done) });
}
