# Dockerfile, in the folder of Cairn
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
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["bin/cairn", "serve"]
