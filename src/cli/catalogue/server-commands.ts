// The part of the catalogue about what stands beside Cairn: the web server in front, the database server behind.

import type { CommandEntry } from "./command-entry.ts";

export const serverCommands: readonly CommandEntry[] = [
  {
    name: "server:config <server>",
    group: "Service",
    about: "Print a configuration for apache, nginx, caddy, systemd, docker, compose or cron",
    options: [
      ["--domain <name>", "the public name; with a port, the web server listens there without https"],
      ["--public <dir>", "the folder of files that come first"],
      ["--upstream <host:port>", "where Cairn listens"],
      ["--files <server|cairn>", "what sends the files of that folder"],
      ["--htaccess", "for Apache: a file .htaccess instead of a virtual host"],
    ],
    examples: [
      "cairn server:config nginx --domain cms.example.org > /etc/nginx/conf.d/cairn.conf",
      "cairn server:config apache --htaccess --public /srv/cairn/public > /srv/cairn/public/.htaccess",
      "cairn server:config systemd",
    ],
    site: "none",
    load: async () => (await import("#cli/running/servers.ts")).printConfig,
  },
  {
    name: "server:check <url>",
    group: "Service",
    about: "Look at a site from outside, and report what the web server in front does wrong",
    examples: ["cairn server:check https://cms.example.org"],
    reports: true,
    site: "none",
    load: async () => (await import("#cli/running/servers.ts")).check,
  },
  {
    name: "database:prepare",
    group: "Service",
    about: "Set on the role in the database server what a connection pool does not pass on",
    examples: ["cairn database:prepare"],
    reports: true,
    site: "none",
    load: async () => (await import("#cli/running/database.ts")).prepare,
  },
];
