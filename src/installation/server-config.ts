// Configurations for what runs around Cairn, with the addresses and paths of this installation. The guides print the same
// texts with the values of `exampleSite`; a test holds them together.

import { exampleDatabaseUrl } from "#config/settings-table.ts";
import type { WebServer } from "#contract/admin.ts";

export interface SiteFacts {
  /** Host of the public address. */
  hostname: string;
  /** Public address, without a slash at its end. */
  url: string;
  /** Where the server listens. */
  host: string;
  port: number;
  dataDir: string;
  /** The folder of the installation. */
  root: string;
  /** The folder it is started in. */
  projectDir: string;
  user: string;
  maxUploadBytes: number;
  /** nginx sends the files itself: the prefix of its location. */
  handoverPrefix?: string | undefined;
}

export const exampleSite: SiteFacts = {
  hostname: "cms.example.org",
  url: "https://cms.example.org",
  host: "127.0.0.1",
  port: 8080,
  dataDir: "/var/lib/cairn",
  root: "/srv/cairn",
  projectDir: "/srv/cairn",
  user: "cairn",
  maxUploadBytes: 2 ** 31,
};

export function serverConfigText(server: WebServer, site: SiteFacts): string {
  return texts[server](site);
}

const texts: Record<WebServer, (site: SiteFacts) => string> = {
  nginx: (site) => `upstream cairn {
  server ${backend(site)};
  keepalive 32;
}
server {
  listen 80;
  server_name ${site.hostname};
  # As files.maxUploadSize; nginx takes 1 MB otherwise.
  client_max_body_size ${inUnits(site.maxUploadBytes)};
  location / {
    proxy_pass http://cairn;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    # Uploads are passed on as they come; MCP clients keep streams open.
    proxy_request_buffering off;
    proxy_read_timeout 1h;
  }
  location = /metrics { return 404; }
${site.handoverPrefix === undefined ? "" : indented(handoverLocation(site, site.handoverPrefix))}}
`,

  apache: (site) => `# a2enmod proxy proxy_http headers
<VirtualHost *:80>
  ServerName ${site.hostname}
  # As files.maxUploadSize; Apache takes 1 GB otherwise.
  LimitRequestBody ${site.maxUploadBytes}
  AllowEncodedSlashes NoDecode
  ProxyPreserveHost On
  ProxyTimeout 3600
  RequestHeader set X-Forwarded-Proto expr=%{REQUEST_SCHEME}
  Redirect 404 /metrics
  ProxyPass /metrics !
  ProxyPass / http://${backend(site)}/ nocanon flushpackets=on
</VirtualHost>
`,

  caddy: (site) => `${site.hostname} {
  respond /metrics 404
  reverse_proxy ${backend(site)} {
    # MCP clients keep streams open.
    flush_interval -1
  }
}
`,

  systemd: (site) => `${environmentFile(site)}
# /etc/systemd/system/cairn.service
[Unit]
Description=Cairn
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=${site.root}/bin/cairn serve
WorkingDirectory=${site.projectDir}
EnvironmentFile=/etc/cairn.env
User=${site.user}
Restart=always
TimeoutStopSec=15

[Install]
WantedBy=multi-user.target
`,

  container: (site) => `# Containerfile, in ${site.root}
#   docker build -f Containerfile -t cairn .
#   docker run -d --name cairn --restart always --stop-timeout 15 -p ${backend(site)}:8080 -v ${site.dataDir}:/data -e CAIRN_URL=${site.url} cairn
FROM node:24-slim
WORKDIR /srv/cairn
COPY . .
RUN npm ci && npm run build:admin
ENV CAIRN_HOST=0.0.0.0 CAIRN_PORT=8080 CAIRN_DATA=/data
EXPOSE 8080
VOLUME /data
CMD ["bin/cairn", "serve"]
`,

  cron: () => `${cronPath}
# A whole backup every night, which is checked.
${backupLine}
# Only where jobs.runInServer is false: jobs and schedules, every minute.
# ${processLine}
`,
};

/** The location that one of the handover settings needs; serving-files.md prints it by itself. */
export function handoverLocation({ dataDir }: SiteFacts, prefix: string): string {
  return `location ${prefix} {
  internal;
  alias ${dataDir}/;
  disable_symlinks on;
  add_header X-Content-Type-Options nosniff;
  add_header Content-Security-Policy $upstream_http_content_security_policy;
}
`;
}

export const cronPath = "PATH=/usr/local/bin:/usr/bin:/bin";
export const backupLine =
  "15 3 * * * set -a && . /etc/cairn.env && f=/backups/$(date +\\%F).zip && cairn backup:create $f && cairn backup:verify $f";
export const processLine = "* * * * * set -a && . /etc/cairn.env && cairn automations:process";

function environmentFile({ dataDir, url, host, port }: SiteFacts): string {
  const isUsual = host === exampleSite.host && port === exampleSite.port;
  return `# /etc/cairn.env
CAIRN_DATA=${dataDir}
CAIRN_URL=${url}
CAIRN_TRUST_PROXY=127.0.0.1
${isUsual ? "" : `CAIRN_HOST=${host}\nCAIRN_PORT=${port}\n`}# CAIRN_DATABASE_URL='${exampleDatabaseUrl}'
`;
}

/** A server that listens everywhere is reached by a proxy on the same machine. */
function backend({ host, port }: SiteFacts): string {
  const isEverywhere = host === "0.0.0.0" || host === "::";
  const name = isEverywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `${name}:${port}`;
}

function inUnits(bytes: number): string {
  const [unit, sign] = bytes % 2 ** 30 === 0 ? [2 ** 30, "g"] : [2 ** 20, "m"];
  return `${Math.ceil(bytes / unit)}${sign}`;
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
