// The process entry: from the command line to a command, or to a server that runs until it is told to stop.

import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Halves the start. Kept inside the installation: nobody else can write there.
enableCompileCache(join(import.meta.dirname, "..", "node_modules", ".cache", "cairn"));
const { runCli } = await import("#cli/commands.ts");

// The app is loaded when a command needs it, so that help and usage errors are quick.

process.exitCode = await runCli(process.argv.slice(2), {
  openApp: async (settings) => (await import("./app.ts")).openApp(settings, "command"),
  serve: async (settings) => (await import("./serve.ts")).serve(settings),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
