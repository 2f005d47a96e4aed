// The file that a container image is made with, the same for every installation, and the one that runs the image.

import { exampleDatabaseUrl } from "#config/settings-table.ts";
import { backend, type SiteFacts } from "./site-facts.ts";

export function dockerText(): string {
  return `# Dockerfile, in the folder of Cairn
#   docker build -t cairn .
#   docker run -d --restart always --stop-timeout 15 -p 127.0.0.1:8080:8080 -v cairn:/data -e CAIRN_URL=... cairn
FROM node:24-slim AS build
WORKDIR /srv/cairn
COPY . .
RUN npm ci && npm run build:admin && npm prune --omit=dev

FROM node:24-slim
WORKDIR /srv/cairn
COPY --from=build /srv/cairn .
RUN install -d -o node -g node /data public
ENV CAIRN_HOST=0.0.0.0 CAIRN_PORT=8080 CAIRN_DATA=/data CAIRN_ADMIN_BUILD=false
USER node
VOLUME /data
EXPOSE 8080
# Cairn answers running requests before it ends.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \\
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["bin/cairn", "serve"]
`;
}

/** The network has an address of its own choice, because the proxy of the host is trusted by the address of the gateway. */
export function composeText(site: SiteFacts): string {
  return `# compose.yaml, beside the Dockerfile
#   docker compose up -d --build
services:
  cairn:
    build: .
    image: cairn
    restart: always
    stop_grace_period: 15s
    environment:
      CAIRN_URL: ${site.url}
      # A proxy on the host reaches the container from here.
      CAIRN_TRUST_PROXY: 172.30.8.1
      # CAIRN_DATABASE_URL: ${exampleDatabaseUrl}
    ports:
      - "${backend(site)}:8080"
    volumes:
      - data:/data
    networks:
      - front
    # It writes to the volume alone.
    read_only: true
    tmpfs:
      - /tmp
    cap_drop:
      - ALL
    security_opt:
      - no-new-privileges:true
volumes:
  data:
networks:
  front:
    ipam:
      config:
        - subnet: 172.30.8.0/24
          gateway: 172.30.8.1
`;
}
