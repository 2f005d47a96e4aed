// Configurations for what runs around Cairn, with the addresses and paths of this installation. The command line, the API and the
// setup show the same texts. The guides print them with the values of `exampleSite`; a test compares them.

import { resolve } from "node:path";
import { hostKey } from "#base/net/host-names.ts";
import type { Settings } from "#config/config.ts";
import { refuse } from "#content/query/parameters.ts";
import type { WebServer } from "#contract/admin.ts";
import { installationRoot } from "#installation/admin-freshness.ts";
import { apacheText } from "./apache.ts";
import { caddyText } from "./caddy.ts";
import { cronText } from "./cron.ts";
import { composeText, dockerText } from "./docker.ts";
import { nginxText } from "./nginx.ts";
import { exampleSite, filesFrom, type SiteFacts } from "./site-facts.ts";
import { systemdText } from "./systemd.ts";

const texts: Record<WebServer, (site: SiteFacts) => string> = {
  nginx: nginxText,
  apache: apacheText,
  caddy: caddyText,
  systemd: systemdText,
  docker: dockerText,
  compose: composeText,
  cron: cronText,
};

export function serverConfigText(server: WebServer, site: SiteFacts): string {
  return texts[server](site);
}

/** What the settings alone say. A public address that is not set is that of the examples. */
export function siteFactsOf(settings: Settings, user: string): SiteFacts {
  const url = settings.get("url").replace(/\/+$/, "") || exampleSite.url;
  return {
    hostname: new URL(url).hostname,
    adminHostname: adminName(settings.get("site.adminHost")),
    url,
    host: settings.get("host"),
    port: settings.get("port") || exampleSite.port,
    dataDir: settings.dataDir,
    publicDir: resolve(settings.projectDir, settings.get("publicDir")),
    root: installationRoot,
    projectDir: settings.projectDir,
    user: user === "root" ? exampleSite.user : user,
    handoverPrefix:
      settings.get("files.handover") === "x-accel-redirect" ? settings.get("files.handoverPrefix") : undefined,
  };
}

function adminName(host: string): string | undefined {
  return hostKey(host)?.replace(/:\d+$/, "");
}

/** What a caller wants otherwise than the settings say, as text. */
export interface ServerChoice {
  /** With a port: where the web server listens without https. */
  domain?: string | undefined;
  public?: string | undefined;
  upstream?: string | undefined;
  files?: string | undefined;
  isHtaccess?: boolean | undefined;
}

export function choose(server: WebServer, site: SiteFacts, choice: ServerChoice): SiteFacts {
  const { isHtaccess = false } = choice;
  if (isHtaccess && server !== "apache") refuse("htaccess", "htaccess is for Apache alone.");
  const files = readFiles(choice.files);
  if (isHtaccess && files === "server")
    refuse("files", "files must be cairn with htaccess: in that form Apache would follow every link.");
  if (site.adminHostname !== undefined && files === "server")
    refuse("files", "files must be cairn while site.adminHost names a host: there Cairn sends each page in a sandbox.");
  return {
    ...site,
    ...readDomain(choice.domain),
    ...readUpstream(choice.upstream),
    ...(choice.public && { publicDir: resolve(readPath(choice.public)) }),
    files: site.adminHostname === undefined ? files : "cairn",
    isHtaccess,
  };
}

function readFiles(text: string | undefined): SiteFacts["files"] {
  const known = filesFrom.find((name) => name === text);
  return known || !text ? known : refuse("files", `files must be ${filesFrom.join(" or ")}.`);
}

const hostPattern = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(?<port>[0-9]{1,5}))?$/i;

function readDomain(text: string | undefined): Partial<SiteFacts> {
  if (!text) return {};
  const { host, port } = readHost("domain", text);
  const frontPort = port === "" ? undefined : Number(port);
  return { hostname: host, frontPort, url: frontPort === undefined ? `https://${host}` : `http://${host}:${port}` };
}

function readUpstream(text: string | undefined): Partial<SiteFacts> {
  if (!text) return {};
  const { host, port } = readHost("upstream", text);
  if (port === "") refuse("upstream", "upstream must have a port, such as 127.0.0.1:8080.");
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

function readHost(name: string, text: string): { host: string; port: string } {
  const port = hostPattern.exec(text)?.groups?.port ?? "";
  const isRight = hostPattern.test(text) && (port === "" || (Number(port) > 0 && Number(port) < 65_536));
  const example = name === "domain" ? "a name such as cms.example.org" : "an address such as 127.0.0.1:8080";
  if (!isRight) refuse(name, `${name} must be ${example}.`);
  return { host: port === "" ? text : text.slice(0, -port.length - 1), port };
}

/** Characters that mean something in one of the files. */
function readPath(text: string): string {
  const isPlain = !/["'\\$%{};#]|\p{Cc}/u.test(text);
  return isPlain ? text : refuse("public", "public must be a path without quotes and signs such as $ and {.");
}
