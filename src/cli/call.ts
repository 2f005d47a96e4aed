// One call of a command: its streams, its settings, and the app it opens while it runs.

import type { Readable, Writable } from "node:stream";
import { system } from "#access/actor.ts";
import type { Settings } from "#config/config.ts";
import { type App, type Context, contextFor } from "#context.ts";
import { clean, type Output } from "./output.ts";

/** Provided by main.ts, because this room may not wire an app. */
export interface Host {
  openApp(settings: Settings, role: CommandRole): Promise<{ app: App; isNew: boolean; close(): Promise<void> }>;
  /** Runs until the server ends; resolves to the exit code. `opens`: shows the site in a browser. */
  serve(
    settings: Settings,
    options?: { isDev?: boolean; opens?: boolean; inspectPort?: number | undefined },
  ): Promise<number>;
  /** The project; the working folder when left out. */
  projectDir?: string;
  /** Of the process when left out. */
  env?: NodeJS.ProcessEnv;
  stdin: Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): void };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean };
}

/** `command` runs beside a server on an existing site; `creating-command` may create the site; a restore needs the data alone. */
export type CommandRole = "command" | "creating-command" | "restore";

export interface Call {
  readonly host: Host;
  readonly out: Output;
  /** The caller passed --json. */
  readonly isJson: boolean;
  readonly settings: Settings;
  /** With what is saved in the database server, where the site has one: the files here may be older, or not there yet. */
  savedSettings(): Promise<Settings>;
  /** A note for the person, on standard error. */
  remark(text: string): void;
  /** Opens the app, runs the work as the system, closes the app. */
  work<T>(work: (ctx: Context) => Promise<T>, role?: CommandRole): Promise<T>;
}

interface CallOptions {
  isJson: boolean;
  settings: () => Settings;
  role: CommandRole;
}

export function createCall(host: Host, out: Output, options: CallOptions): Call {
  const remark = (text: string): void => void host.stderr.write(`${clean(text)}\n`);
  return {
    host,
    out,
    isJson: options.isJson,
    get settings() {
      return options.settings();
    },
    remark,
    async savedSettings() {
      const settings = options.settings();
      return settings.get("databaseUrl") ? this.work(async (ctx) => ctx.settings) : settings;
    },
    async work(work, role = options.role) {
      const settings = options.settings();
      const { app, isNew, close } = await host.openApp(settings, role);
      try {
        if (isNew && role === "creating-command") remark(`A new site was made in ${settings.dataDir}.`);
        return await work({ ...contextFor(app, system), trail: { door: "cli" } });
      } finally {
        await close();
      }
    },
  };
}
