// The process entry: from the command line to a command, or to a server that runs until it is stopped.
// The app is loaded when a command needs it, so that help and usage errors are quick.

import { installFastResolver } from "./base/fast-resolver.ts";

installFastResolver();
const { runCli } = await import("./cli/commands.ts");

process.exitCode = await runCli(process.argv.slice(2), {
  openApp: async (settings, role) => (await import("./app.ts")).openApp(settings, role),
  serve: async (settings, options) => (await import("./serve.ts")).serve(settings, options),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
// The channel to its supervisor would keep a worker that could not start.
if (process.connected) process.disconnect();
