// What the configurations are made of: addresses and paths of one installation, and how they are written into the files.

import { basename, relative } from "node:path";
import { isLoopback } from "#base/net/addresses.ts";

export interface SiteFacts {
  /** Host of the public address. */
  hostname: string;
  /** Name of the admin's own host; undefined: it has none. */
  adminHostname?: string | undefined;
  /** Where the web server listens, without https; undefined: its usual ports. */
  frontPort?: number | undefined;
  /** Public address, without a slash at its end. */
  url: string;
  /** Where Cairn listens. */
  host: string;
  port: number;
  dataDir: string;
  /** The folder whose files come first. */
  publicDir: string;
  /** The folder of the installation. */
  root: string;
  /** The folder it is started in. */
  projectDir: string;
  user: string;
  /** Which of the two sends the files of `publicDir`; undefined: what suits the web server. */
  files?: FilesFrom | undefined;
  /** For Apache: a file in `publicDir` instead of a virtual host. */
  isHtaccess?: boolean | undefined;
  /** nginx sends the files of objects itself: the prefix of its location. */
  handoverPrefix?: string | undefined;
}

export const filesFrom = ["server", "cairn"] as const;
export type FilesFrom = (typeof filesFrom)[number];

export const exampleSite: SiteFacts = {
  hostname: "cms.example.org",
  url: "https://cms.example.org",
  host: "127.0.0.1",
  port: 8080,
  dataDir: "/var/lib/cairn",
  publicDir: "/srv/cairn/public",
  root: "/srv/cairn",
  projectDir: "/srv/cairn",
  user: "cairn",
};

/** Names that the web server answers to, that of the site first. */
export function hostnames({ hostname, adminHostname = hostname }: SiteFacts): string[] {
  return [...new Set([hostname, adminHostname])];
}

/** A server that listens everywhere is reached by a proxy on the same machine. */
export function backend({ host, port }: SiteFacts): string {
  const isEverywhere = host === "0.0.0.0" || host === "::";
  const name = isEverywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `${name}:${port}`;
}

/** From where Cairn sees the proxy of these files. */
export function trustedProxy({ host }: SiteFacts): string {
  return isLoopback(host) || host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
}

/** Addresses that Cairn alone answers, whatever lies in `publicDir`: the data directory's, and those of the admin. */
export function ownPaths({ dataDir, publicDir }: SiteFacts): string {
  const below = relative(publicDir, dataDir);
  const isInside = below !== "" && !below.startsWith("..");
  const names = new Set(["admin", "data", basename(dataDir), ...(isInside ? [below] : [])]);
  return `^/(?:${[...names].map((name) => name.replace(/[^\w/-]/g, "\\$&")).join("|")})(?:/|$)`;
}

/** Dot files do not exist; `.well-known` at the root does. */
export const dotFiles = "^/\\.(?!well-known/)|/.+/\\.";

export function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `"${path}"`;
}
