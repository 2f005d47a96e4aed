// The server block for nginx. Settings of the proxy stand outside of the locations, which all inherit them.

import { backend, dotFiles, hostnames, ownPaths, quoted, type SiteFacts } from "./site-facts.ts";

export function nginxText(site: SiteFacts): string {
  return `# /etc/nginx/conf.d/cairn.conf
upstream cairn {
  server ${backend(site)};
  keepalive 32;
}
server {
  listen ${site.frontPort ?? 80};
  server_name ${hostnames(site).join(" ")};

  # Cairn limits bodies itself, and compresses: nginx does neither.
  client_max_body_size 0;
  gzip off;
  large_client_header_buffers 4 16k;

  # Uploads and answers are passed on as they come.
  proxy_http_version 1.1;
  proxy_request_buffering off;
  proxy_buffering off;
  proxy_buffer_size 16k;
  proxy_buffers 4 16k;
  proxy_read_timeout 1h;
  proxy_send_timeout 1h;
  proxy_redirect off;
  # What a caller sent in these headers is replaced.
  proxy_set_header Connection "";
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Forwarded-Host $http_host;
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header Forwarded "";

${site.files === "cairn" ? everything : files(site)}
  location = /metrics { return 404; }
${site.handoverPrefix === undefined ? "" : indented(handoverLocation(site, site.handoverPrefix))}}
`;
}

/** An address after proxy_pass would make nginx write the path in its own way. */
const everything = `  location / {
    proxy_pass http://cairn;
  }`;

/** nginx leaves links, folders without index.html and other methods to Cairn. */
function files(site: SiteFacts): string {
  const send = `add_header Cache-Control "public, max-age=0";
    add_header X-Content-Type-Options nosniff;
    charset utf-8;
    error_page 405 = @cairn;`;
  return `  # Files of this folder come from nginx, all other addresses from Cairn, and so do links.
  root ${quoted(site.publicDir)};
  disable_symlinks on from=$document_root;
  location / {
    try_files $uri @cairn;
    ${send}
  }
  location ~ /$ {
    try_files \${uri}index.html @cairn;
    ${send}
  }
  # Cairn alone answers for the data directory, the admin and dot files.
  location ~* "${ownPaths(site)}|${dotFiles}" {
    proxy_pass http://cairn;
  }
  location @cairn {
    proxy_pass http://cairn;
  }`;
}

/** The location that one of the handover settings needs; serving-files.md prints it by itself. */
export function handoverLocation({ dataDir }: SiteFacts, prefix: string): string {
  return `location ^~ ${prefix} {
  internal;
  alias ${quoted(`${dataDir}/`)};
  disable_symlinks on;
  add_header X-Content-Type-Options nosniff;
  add_header Content-Security-Policy $upstream_http_content_security_policy;
}
`;
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
