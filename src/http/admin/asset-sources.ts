// Where the admin's page may take scripts from: the files of its build and those of extensions, by host and path. So no uploaded file
// and no file of public/ counts as a script of the admin. A content policy names paths only behind a host name: where a browser
// came by a number, which policies do not know, all of the origin counts.

import { isIP } from "node:net";

const paths = ["/admin/assets/", "/api/ext/"];

/** `hosts`: as the request named this server, and as its settings do. */
export function scriptSources(hosts: readonly string[]): string {
  const named = [...new Set(hosts)].filter(isNamed);
  if (named.length === 0 || !isNamed(hosts[0] ?? "")) return "'self'";
  return named.flatMap((host) => paths.map((path) => host + path)).join(" ");
}

/** The only number that policies know is this machine's. */
function isNamed(host: string): boolean {
  const name = /^([\w.-]+)(?::\d+)?$/.exec(host)?.[1];
  return name !== undefined && (isIP(name) === 0 || name === "127.0.0.1");
}
