// Where the admin's page may take scripts from: the files of its build and those of extensions, by host and path. So no uploaded file
// and no file of public/ counts as a script of the admin. A content policy names paths behind the name of a host alone, and a proxy
// may hide the one in the browser's address: where it is not known, all of the origin counts.

import { isIP } from "node:net";

const paths = ["/admin/assets/", "/api/ext/"];

/** `asked`: the host of the request. `configured`: the one that the settings say; empty where they say none. */
export function scriptSources(asked: string, configured: string): string {
  const isKnown = isNamed(asked) && (configured === "" ? isLocal(asked) : isNamed(configured));
  if (!isKnown) return "'self'";
  const hosts = new Set([asked, configured || asked]);
  return [...hosts].flatMap((host) => paths.map((path) => host + path)).join(" ");
}

function nameOf(host: string): string | undefined {
  return /^([\w.-]+)(?::\d+)?$/.exec(host)?.[1];
}

/** The only number that policies know is this machine's. */
function isNamed(host: string): boolean {
  const name = nameOf(host);
  return name !== undefined && (isIP(name) === 0 || name === "127.0.0.1");
}

/** No proxy of another machine names it so. */
function isLocal(host: string): boolean {
  return /^(?:localhost|127\.0\.0\.1)$/i.test(nameOf(host) ?? "");
}
