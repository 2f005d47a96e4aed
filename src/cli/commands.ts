// The command line: reads the arguments, finds the command, runs it, and turns the outcome into an exit code.
// 0 done, 1 failed, 2 called wrongly. Errors are one plain sentence on standard error, never a stack trace.

import { dirname } from "node:path";
import { Command, CommanderError } from "commander";
import { CairnError } from "#base/errors.ts";
import { removeUnfinished } from "#base/temporary-files.ts";
import { version } from "#base/version.ts";
import { loadSettings, type Settings, SettingsError } from "#config/config.ts";
import { requireSite } from "#config/site.ts";
import { settingRules } from "#installation/setting-rules.ts";
import { createCall, type Host } from "./call.ts";
import type { CommandEntry, OptionEntry } from "./catalogue/command-entry.ts";
import { commands, examples } from "./catalogue/commands.ts";
import { clean, createOutput, type Output, OutputClosed } from "./output.ts";
import { UsageError } from "./usage.ts";

const done = 0;
const failed = 1;
const wrongUsage = 2;

export async function runCli(argv: readonly string[], host: Host): Promise<number> {
  const out = createOutput(host.stdout);
  let exitCode = done;
  try {
    const added = await findAdded(argv, host);
    const program = buildProgram(host, out, {
      all: [...commands, ...added],
      setExitCode: (code) => {
        exitCode = code;
      },
    });
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: "user" }).catch(unlessShown);
    await out.finish();
    return exitCode;
  } catch (error) {
    return report(error, host);
  }
}

/** Commands of extensions: looked for only where the name is not the core's, and for help. */
async function findAdded([name, about, ...rest]: readonly string[], host: Host): Promise<readonly CommandEntry[]> {
  const isCore = (word: string | undefined) =>
    word !== undefined && (word === "--version" || commands.some((entry) => entry.name.split(" ", 1)[0] === word));
  const isHelp = name === "help" && about !== undefined;
  if (isCore(isHelp ? about : name)) return [];
  const { findAddedCommands, refuseMissing } = await import("./extensions/added-commands.ts");
  const all = isHelp ? [about] : [name, about, ...rest];
  const at = all.indexOf("--data");
  const data = at < 0 ? all.find((word) => word?.startsWith("--data="))?.slice("--data=".length) : all[at + 1];
  const added = await findAddedCommands(host, () => readSettings(host, data === undefined ? {} : { data }));
  refuseMissing(added, isHelp ? about : name);
  return added.entries;
}

/** Explicit help and version end the parsing, too. */
function unlessShown(error: unknown): void {
  if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
}

/** An interrupted command leaves no partial file, and ends with the signal's exit code. Returns a function that removes the handlers. */
function endOnSignals({ stderr }: Host): () => void {
  const end = (signal: NodeJS.Signals): void => {
    removeUnfinished();
    if (stderr.isTTY) stderr.write("\n");
    release();
    process.kill(process.pid, signal);
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  const release = (): void => {
    for (const signal of signals) process.off(signal, end);
  };
  for (const signal of signals) process.on(signal, end);
  return release;
}

interface Catalogue {
  all: readonly CommandEntry[];
  setExitCode(code: number): void;
}

function buildProgram(host: Host, out: Output, { all, setExitCode }: Catalogue): Command {
  const program = new Command("cairn")
    .description("Cairn, a headless content management service.")
    .version(version, "--version", "show the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ subcommandTerm: commandTerm })
    .configureOutput({
      writeOut: out.writeNow,
      writeErr: (text) => host.stderr.write(text),
      outputError: (text, write) => write(`${usageSentence(text)}\n`),
    })
    .addHelpText("after", helpExamples(examples));

  for (const entry of all) {
    const command = program.command(entry.name).helpGroup(`${entry.group}:`).description(entry.about);
    for (const option of entry.options ?? []) addOption(command, option);
    if (entry.reports) command.option("--json", "print one JSON document");
    command.option("--data <dir>", "data directory (or CAIRN_DATA)");
    if (entry.examples) command.addHelpText("after", helpExamples(entry.examples));
    command.action(async (...values: unknown[]) => {
      // commander passes the arguments, then the options, then the command itself
      const options = values.at(-2) as Record<string, unknown>;
      const call = createCall(host, out, {
        isJson: options.json === true,
        settings: settingsOf(host, entry, options),
        role: entry.site === "may-create" ? "creating-command" : "command",
      });
      const run = await entry.load();
      // A server handles signals itself.
      const release = serverFlags[entry.name] ? () => {} : endOnSignals(host);
      const result = await run(call, options, ...(values.slice(0, -2) as string[])).finally(release);
      setExitCode(typeof result === "number" ? result : done);
    });
  }

  program
    .command("completion <shell>")
    .helpGroup("Service:")
    .description("Print a script by which bash, zsh or fish completes commands and options")
    .addHelpText("after", helpExamples(["source <(cairn completion bash)"]))
    .action(async (shell: string) => {
      const { completionScript } = await import("./completion.ts");
      await out.write(completionScript(shell, all));
    });

  program
    .command("help [command]")
    .helpGroup("Service:")
    .description("Show all commands, or one of them")
    .action(async (name?: string) => {
      const command = program.commands.find((candidate) => candidate.name() === name);
      if (command) command.outputHelp();
      else if (name === undefined) program.outputHelp();
      else await program.parseAsync([name], { from: "user" });
    });
  return program;
}

function addOption(command: Command, [flags, about, fallback]: OptionEntry): void {
  if (typeof fallback === "object") {
    command.option(flags, about, (value: string, all: readonly string[]) => [...all, value], fallback);
  } else {
    command.option(flags, about, fallback);
  }
}

/** Every command has options, so the list does not repeat it. */
function commandTerm(command: Command): string {
  const args = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return [command.name(), ...args].join(" ");
}

/** Commands that run a server: settings that they take as options, and settings that they fix. */
const serverFlags: Readonly<Record<string, { names: readonly string[]; fixed: Record<string, string> } | undefined>> = {
  serve: { names: ["data", "host", "port", "workers"], fixed: {} },
  dev: { names: ["data", "host", "port"], fixed: { environment: "development", workers: "1" } },
};

/** Read at most once, on demand: help and version need no settings. */
function settingsOf(host: Host, entry: CommandEntry, options: Record<string, unknown>): () => Settings {
  let settings: Settings | undefined;
  const { names, fixed } = serverFlags[entry.name] ?? { names: ["data"], fixed: {} };
  const given = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]);
  const flags = { ...Object.fromEntries(given), ...fixed };
  return () => {
    if (settings) return settings;
    settings = readSettings(host, flags);
    if (entry.site === undefined) requireSite(settings);
    return settings;
  };
}

function readSettings(host: Host, flags: Record<string, string>): Settings {
  const { projectDir = process.cwd(), env = process.env } = host;
  return loadSettings({ projectDir, env, flags, rules: settingRules });
}

function helpExamples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

/** From commander's "error: unknown command 'x'\n(Did you mean y?)" to one line. */
function usageSentence(text: string): string {
  return `cairn: ${clean(
    text
      .replace(/^error: /, "")
      .trim()
      .replace(/\s*\n\s*/g, " "),
  )}`;
}

function report(error: unknown, host: Host): number {
  if (error instanceof OutputClosed) return done;
  // commander has printed its own sentence by now
  if (error instanceof CommanderError) return wrongUsage;
  host.stderr.write(`cairn: ${clean(sentence(error))}\n`);
  const isUsage = error instanceof UsageError || (error instanceof SettingsError && error.message.startsWith("--"));
  return isUsage ? wrongUsage : failed;
}

function sentence(error: unknown): string {
  if (error instanceof CairnError) {
    const message = error.message.replace(/\.$/, "");
    const details = Object.entries(error.details ?? {}).map(([property, messages]) => {
      const news = messages.filter((one) => one.replace(/\.$/, "") !== message);
      return [property, ...(news.length > 0 ? [news.join(", ")] : [])].join(": ");
    });
    return details.length > 0 ? `${message} (${details.join("; ")}).` : error.message;
  }
  if (!(error instanceof Error)) return "Something went wrong.";
  const { code, path } = error as NodeJS.ErrnoException;
  // Files are written under a temporary name first: it is the folder that is missing.
  if (code === "ENOENT" && path?.endsWith(".part")) return `There is no folder ${dirname(path)}.`;
  if (code === "ENOENT" && path) return `There is no file ${path}.`;
  if (code === "EACCES" && path) return `${path} cannot be opened: permission denied.`;
  if (code === "ENOSPC") return "The disk is full.";
  if (code === "EISDIR") return "That is a folder, not a file.";
  return error.message.split("\n", 1)[0] ?? "Something went wrong.";
}
