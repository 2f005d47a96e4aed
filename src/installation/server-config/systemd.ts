// The unit for systemd, and the file of settings that it and every command read.

import { exampleDatabaseUrl } from "#config/settings-table.ts";
import { exampleSite, quoted, type SiteFacts, trustedProxy } from "./site-facts.ts";

export function systemdText(site: SiteFacts): string {
  return `${environmentFile(site)}
# /etc/systemd/system/cairn.service
[Unit]
Description=Cairn
Wants=network-online.target
After=network-online.target

[Service]
Type=exec
ExecStart=${quoted(`${site.root}/bin/cairn`)} serve
WorkingDirectory=${site.projectDir}
EnvironmentFile=/etc/cairn.env
User=${site.user}
Restart=always
# Cairn answers running requests before it ends.
TimeoutStopSec=15
# It writes to the data directory alone. After an update, npm run build:admin builds the admin.
ProtectSystem=strict
ReadWritePaths=${quoted(site.dataDir)}
PrivateTmp=true
PrivateDevices=true
ProtectHome=read-only
ProtectControlGroups=true
ProtectKernelModules=true
ProtectKernelTunables=true
NoNewPrivileges=true
RestrictSUIDSGID=true
CapabilityBoundingSet=

[Install]
WantedBy=multi-user.target
`;
}

function environmentFile(site: SiteFacts): string {
  const { dataDir, url, host, port } = site;
  const isUsual = host === exampleSite.host && port === exampleSite.port;
  return `# /etc/cairn.env
CAIRN_DATA=${quoted(dataDir)}
CAIRN_URL=${url}
CAIRN_TRUST_PROXY=${trustedProxy(site)}
${isUsual ? "" : `CAIRN_HOST=${host}\nCAIRN_PORT=${port}\n`}# CAIRN_DATABASE_URL='${exampleDatabaseUrl}'
`;
}
