// The state of the service for an administrator: info, disk, and checks of what is commonly set up wrong, each with its cure.
// Looks and never repairs.

import { access, constants, statfs } from "node:fs/promises";
import { availableParallelism, userInfo } from "node:os";
import type { Context } from "#context.ts";
import type { SystemCheck, SystemReport } from "#contract/admin.ts";
import { getInfo } from "./info.ts";
import { checkOpenRegistration } from "./registration.ts";

/** How the administrator's own request has reached the server. */
export interface Reached {
  /** As sent. */
  host: string;
  /** It is a name that the server knows as its own. */
  isOwnHost: boolean;
  protocol: string;
  /** Address of the other end of the connection. */
  peer: string;
  /** It carries headers that proxies add. */
  isForwarded: boolean;
  /** For links. */
  baseUrl: string;
}

type Level = SystemCheck["level"];
type Disk = SystemReport["disk"];

const mebibyte = 2 ** 20;
const scarce = 2_048 * mebibyte;
const full = 256 * mebibyte;

export async function getSystemReport(ctx: Context, reached: Reached): Promise<SystemReport> {
  const info = await getInfo(ctx);
  const disk = await statfs(info.dataDir).then(
    ({ bavail, blocks, bsize }) => ({ free: bavail * bsize, total: blocks * bsize }),
    () => null,
  );
  return {
    ...info,
    files: ctx.settings.get("filesUrl") === "" ? "disk" : "s3",
    uptimeSeconds: Math.round(process.uptime()),
    disk,
    checks: [
      await checkDataDir(ctx),
      checkDisk(disk),
      checkDatabase(ctx),
      checkWorkers(ctx),
      checkAddress(ctx, reached),
      checkProxy(ctx, reached),
      checkHttps(ctx, reached),
      checkMail(ctx),
      ...(await checkOpenRegistration(ctx)),
    ],
  };
}

function check(id: string, level: Level, message: string, cure = ""): SystemCheck {
  return { id, level, message, cure };
}

async function checkDataDir({ settings, storage }: Context): Promise<SystemCheck> {
  const { dataDir } = settings;
  const isWritable = await access(dataDir, constants.W_OK).then(
    () => !storage.isReadOnly,
    () => false,
  );
  if (isWritable) return check("data-directory", "good", `The data directory ${dataDir} can be written to.`);
  const cure = `Give it to the user of the server (chown -R ${userInfo().username} ${dataDir}), then restart Cairn.`;
  return check("data-directory", "bad", `Nothing can be written to the data directory ${dataDir}.`, cure);
}

function checkDisk(disk: Disk): SystemCheck {
  if (!disk) return check("disk-space", "warn", "The free disk space is not known.", "Look at it by hand: df -h");
  const message = `${sizeOf(disk.free)} of ${sizeOf(disk.total)} are free where the data directory is.`;
  if (disk.free >= scarce) return check("disk-space", "good", message);
  const cure = "Delete what is not needed, move whole backups elsewhere, or make the disk larger.";
  return check("disk-space", disk.free < full ? "bad" : "warn", message, cure);
}

function sizeOf(bytes: number): string {
  const [unit, name] = bytes >= 2 ** 30 ? [2 ** 30, "GiB"] : [mebibyte, "MiB"];
  return `${(bytes / unit).toFixed(1)} ${name}`;
}

function checkDatabase({ storage }: Context): SystemCheck {
  return check("database", "good", `The database is ${storage.dialect.label}.`);
}

function checkWorkers({ settings }: Context): SystemCheck {
  const workers = settings.get("workers");
  const cores = availableParallelism();
  const message = `${counted(workers, "server process", "server processes")} on ${counted(cores, "core", "cores")}.`;
  if (workers <= cores) return check("workers", "good", message);
  return check("workers", "warn", message, `Set CAIRN_WORKERS to at most ${cores} and restart.`);
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Links, mails and tokens name the configured address, so it must be the one that people use. */
function checkAddress({ settings }: Context, { host, isOwnHost, baseUrl, protocol }: Reached): SystemCheck {
  const isSet = settings.get("url") !== "";
  const isSame = isSet ? host === new URL(baseUrl).host : isOwnHost;
  if (isSame) return check("address", "good", `Links name ${baseUrl}.`);
  const message = isSet
    ? `You have opened ${host}, but links name ${baseUrl}.`
    : `CAIRN_URL is not set: you have opened ${host}, but links name ${baseUrl}.`;
  return check(
    "address",
    "warn",
    message,
    `Set CAIRN_URL to the public address, such as ${protocol}://${host}, and restart.`,
  );
}

function checkProxy({ settings }: Context, { isForwarded, peer }: Reached): SystemCheck {
  const isTrusted = settings.get("trustProxy").length > 0;
  if (!isForwarded) return check("proxy", "good", "This request came without a proxy.");
  if (isTrusted) return check("proxy", "good", "This request came through a proxy that is trusted.");
  const message =
    "This request came through a proxy that is not trusted: all visitors share one rate limit and one address.";
  return check("proxy", "warn", message, `Set CAIRN_TRUST_PROXY to the address of the proxy, ${peer}, and restart.`);
}

function checkHttps(_ctx: Context, { baseUrl, protocol, isOwnHost, host }: Reached): SystemCheck {
  if (baseUrl.startsWith("https:") || protocol === "https")
    return check("https", "good", "The site is reached by https.");
  if (isOwnHost && isLocal(host))
    return check("https", "good", "The site is reached on this machine alone, without https.");
  const message =
    "The site is reached without https: passwords and cookies can be read on their way, and passkeys do not work.";
  return check(
    "https",
    "warn",
    message,
    "Put a proxy with a certificate in front, and set CAIRN_URL to its https:// address.",
  );
}

function isLocal(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host);
}

function checkMail({ settings }: Context): SystemCheck {
  const host = settings.get("smtp.host");
  if (host !== "" && settings.get("smtp.from") !== "") return check("mail", "good", `Mail is sent through ${host}.`);
  const message = "Mail is not set up: nobody can reset a forgotten password.";
  return check("mail", "warn", message, "Set smtp.host and smtp.from in the settings.");
}
