// Shows an address in the browser of the person at this machine. Where there is none, the address stands on the console anyway.

import { spawn } from "node:child_process";
import type { Logger } from "pino";

const programs: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

export function openInBrowser(address: string, log: Pick<Logger, "warn">): void {
  const [command, ...args] = programs[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", (error) => log.warn({ err: error }, "no browser could be opened"));
  child.unref();
}
