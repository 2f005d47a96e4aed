// For Apache: a virtual host, or a file .htaccess in the folder of the files. Both pass on the path of the request line as it was
// sent: what mod_rewrite matches is decoded already, and would be decoded twice.

import { backend, dotFiles, hostnames, ownPaths, type SiteFacts } from "./site-facts.ts";

export function apacheText(site: SiteFacts): string {
  return site.isHtaccess ? htaccess(site) : virtualHost(site);
}

const modules = "a2enmod headers proxy proxy_http rewrite";

function virtualHost(site: SiteFacts): string {
  const hasFiles = site.files !== "cairn";
  return `# /etc/apache2/sites-available/cairn.conf
# ${modules}; a2ensite cairn
<VirtualHost *:${site.frontPort ?? 80}>
  ServerName ${site.hostname}
${hostnames(site)
  .slice(1)
  .map((name) => `  ServerAlias ${name}\n`)
  .join("")}${hasFiles ? folder(site) : ""}
  # Cairn limits bodies itself.
  LimitRequestBody 0
  LimitRequestLine 16384
  AllowEncodedSlashes NoDecode

  ProxyPreserveHost On
  ProxyTimeout 3600
  # After a restart of Cairn the next request is tried at once.
  <Proxy "http://${backend(site)}">
    ProxySet retry=0 ttl=60 flushpackets=on
  </Proxy>
${indented(forwarding)}

  RewriteEngine On
  RewriteRule "^/metrics$" - [R=404,L]
${indented(plainly)}${hasFiles ? indented(fileRules("%{DOCUMENT_ROOT}%{REQUEST_URI}", site)) : ""}${indented(passOn(site))}</VirtualHost>
`;
}

const plainly = `# Cairn compresses, Apache does not.
RewriteRule "^" - [E=no-gzip:1,E=no-brotli:1]
`;

/** mod_proxy adds to these headers, so what a caller sent is dropped first. */
const forwarding = `# What a caller sent in these headers is replaced.
RequestHeader unset Forwarded
RequestHeader unset X-Forwarded-For
RequestHeader unset X-Forwarded-Host
RequestHeader unset X-Forwarded-Server
RequestHeader set X-Forwarded-Proto expr=%{REQUEST_SCHEME}`;

/** Apache follows no link in it. */
function folder({ publicDir }: SiteFacts): string {
  return `  DocumentRoot "${publicDir}"
  <Directory "${publicDir}">
    Options None
    AllowOverride None
    Require all granted
    DirectoryIndex index.html
    DirectorySlash Off
    AddDefaultCharset utf-8
    Header set Cache-Control "public, max-age=0"
    Header set X-Content-Type-Options nosniff
  </Directory>
`;
}

function fileRules(file: string, site: SiteFacts): string {
  return `# Files of the folder come from Apache, except for the data directory, the admin, dot files and links.
RewriteCond %{REQUEST_METHOD} "!^(?:GET|HEAD)$" [OR]
RewriteCond %{REQUEST_URI} "${ownPaths(site)}" [NC,OR]
RewriteCond %{REQUEST_URI} "${dotFiles}"
RewriteRule "^" - [S=2]
RewriteCond ${file} -f
RewriteCond ${file} !-l
RewriteRule "^" - [L]
RewriteCond ${file}index.html -f
RewriteCond ${file}index.html !-l
RewriteRule "/$" - [L]
`;
}

function passOn(site: SiteFacts): string {
  return `# All other addresses come from Cairn, which gets them as they were sent.
RewriteCond %{THE_REQUEST} "^\\S+ (?:https?://[^/?]+)?(/[^\\s?]*)"
RewriteRule "^" "http://${backend(site)}%1" [P,NE,L]
`;
}

/** Apache refuses rewriting where it follows no links, so here Cairn sends the files, too. */
function htaccess(site: SiteFacts): string {
  return `# .htaccess in ${site.publicDir}
# ${modules}
# The virtual host of this folder needs these lines, or Apache reads no file like this one and refuses encoded slashes:
#   AllowEncodedSlashes NoDecode
#   <Directory "${site.publicDir}">
#     AllowOverride All
#   </Directory>
# All requests come from Cairn, those for files of this folder, too: here Apache would follow every link in it.
Options +SymLinksIfOwnerMatch
DirectoryIndex disabled
DirectorySlash Off
# Cairn limits bodies itself.
LimitRequestBody 0

${forwarding}

RewriteEngine On
RewriteRule "^metrics$" - [R=404,L]
${plainly}${passOn(site)}`;
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
