// The site block for Caddy. Its file server follows links, so Cairn sends the files unless somebody chooses otherwise.

import { backend, hostnames, ownPaths, type SiteFacts } from "./site-facts.ts";

export function caddyText(site: SiteFacts): string {
  const address = hostnames(site)
    .map((name) => (site.frontPort === undefined ? name : `http://${name}:${site.frontPort}`))
    .join(", ");
  return `# /etc/caddy/Caddyfile
${address} {
  respond /metrics 404
${site.files === "server" ? files(site) : ""}
  reverse_proxy ${backend(site)} {
    # Answers are passed on as they come. Cairn compresses; Caddy replaces the headers X-Forwarded-* by itself.
    flush_interval -1
    header_up -Forwarded
    transport http {
      compression off
      keepalive 60s
    }
  }
}
`;
}

function files(site: SiteFacts): string {
  return `
  # Caddy follows links: keep links to other folders out of this one.
  root * "${site.publicDir}"
  @file {
    method GET HEAD
    not path_regexp "(?i)${ownPaths(site)}"
    path_regexp "^/(?:[^./][^/]*|\\.well-known)?(?:/[^./][^/]*)*/?$"
    file {path} {path}/index.html
  }
  handle @file {
    header Cache-Control "public, max-age=0"
    header X-Content-Type-Options nosniff
    file_server
  }
`;
}
