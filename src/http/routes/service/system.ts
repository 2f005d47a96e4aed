// The state of the service, and configurations for what runs around it. For the admin persona.

import { userInfo } from "node:os";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { allow } from "#access/allow.ts";
import { adminAddress } from "#content/site-address.ts";
import type { App } from "#context.ts";
import { type ServerConfig, type WebServer, webServers } from "#contract/admin.ts";
import { isOnAdminHost } from "#http/admin/admin-host.ts";
import { parametersOf } from "#http/parameters.ts";
import type { HttpParts } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { choose, serverConfigText, siteFactsOf } from "#installation/server-config/server-config.ts";
import { exampleSite, filesFrom, type SiteFacts } from "#installation/server-config/site-facts.ts";
import { getSystemReport, type Reached } from "#installation/system-report.ts";
import { isOwnHost } from "#mcp/transport/origins.ts";
import { described, flag, ref, text, wrapped } from "#openapi/route-doc.ts";

const tag = "System";

export function systemRoutes(server: FastifyInstance, door: HttpParts): void {
  server.get(
    "/system",
    described({
      tag,
      summary: "Get the state of the service",
      description: "Versions, paths, counts, disk space, and checks with what to do where something is wrong.",
      answer: wrapped(ref("SystemReport")),
    }),
    async (request, reply) => sendData(reply, await getSystemReport(request.ctx, reachedBy(door, request))),
  );
  server.get(
    "/server-config",
    described({
      tag,
      summary: "Get a configuration for a proxy or a process manager",
      description:
        "With the address, the port and the paths of this installation, unless parameters name others. " +
        "`cairn server:config` prints the same text.",
      query: {
        server: text("Which one; `container` is another name of `docker`.", {
          enum: [...webServers, "container"],
          default: "nginx",
        }),
        domain: text("The public name; with a port, the web server listens there without https."),
        public: text("The folder of files that come first."),
        upstream: text("Where Cairn listens, such as `127.0.0.1:8080`."),
        files: text("What sends the files of that folder. Left out: nginx and a virtual host of Apache send them.", {
          enum: [...filesFrom],
        }),
        htaccess: flag("For Apache: a file `.htaccess` instead of a virtual host."),
      },
      answer: wrapped(ref("ServerConfig")),
    }),
    async (request, reply) => {
      allow(request.ctx, "read", { kind: "settings" });
      const answer: ServerConfig = { detected: detectProxy(request), text: configText(door, request) };
      return sendData(reply, answer);
    },
  );
}

function configText(door: HttpParts, request: FastifyRequest): string {
  const { server = "", htaccess, ...choice } = parametersOf(request) as Record<string, string>;
  const wanted = (server === "container" ? "docker" : server || "nginx") as WebServer;
  const site = choose(wanted, siteFacts(door, request), {
    ...choice,
    isHtaccess: htaccess === "true" || htaccess === "1",
  });
  return serverConfigText(wanted, site);
}

function reachedBy({ app, baseUrl }: HttpParts, request: FastifyRequest): Reached {
  const { headers, protocol } = request;
  const expected = isOnAdminHost(app, request) ? adminAddress(app) : baseUrl();
  return {
    host: headers.host ?? "",
    isOwnHost: isOwnHost(app, headers.host, baseUrl()),
    protocol,
    peer: request.raw.socket.remoteAddress ?? "",
    isForwarded: isForwarded(request),
    baseUrl: expected,
  };
}

function isForwarded({ headers }: FastifyRequest): boolean {
  const { "x-forwarded-for": address, forwarded, via, "x-forwarded-proto": scheme, "x-real-ip": real } = headers;
  return (address ?? forwarded ?? via ?? scheme ?? real) !== undefined;
}

/** Apache names itself to the server behind it, and Caddy the host that was asked for; nginx as we configure it does neither. */
function detectProxy(request: FastifyRequest): WebServer | null {
  const { via = "", "x-forwarded-server": apache, "x-forwarded-host": host } = request.headers;
  if (!isForwarded(request)) return null;
  if (apache !== undefined) return "apache";
  return host !== undefined || /caddy/i.test(via) ? "caddy" : "nginx";
}

/** A public address that is not known is that of the examples. */
function siteFacts(door: HttpParts, request: FastifyRequest): SiteFacts {
  return {
    ...siteFactsOf(door.app.settings, userInfo().username),
    ...publicAddress(door, request),
    ...listening(door.app, request),
  };
}

function publicAddress({ app, baseUrl }: HttpParts, { headers }: FastifyRequest): Pick<SiteFacts, "hostname" | "url"> {
  const set = app.settings.get("url");
  if (set !== "") return { hostname: new URL(set).hostname, url: baseUrl() };
  const asked = isOwnHost(app, headers.host, baseUrl()) ? undefined : URL.parse(`https://${headers.host}`);
  const { hostname, url } = exampleSite;
  return asked ? { hostname: asked.hostname, url: asked.origin } : { hostname, url };
}

function listening({ settings }: App, { raw }: FastifyRequest): Pick<SiteFacts, "host" | "port"> {
  return { host: settings.get("host"), port: raw.socket.localPort ?? settings.get("port") };
}
