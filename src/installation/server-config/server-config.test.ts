import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import { backupLine, cronPath, processLine } from "./cron.ts";
import { handoverLocation } from "./nginx.ts";
import { choose, type ServerChoice, serverConfigText } from "./server-config.ts";
import { exampleSite } from "./site-facts.ts";

const root = new URL("../../../", import.meta.url);
const guide = (name: string) => readFileSync(new URL(`docs/guides/${name}`, root), "utf8");
const blocks = (language: string, name: string): string[] =>
  [...guide(name).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, text]) => text as string);

test("ADM-12 the configurations are those of the guides, which are tested as printed", () => {
  assert.deepEqual(blocks("nginx", "operations.md"), [serverConfigText("nginx", exampleSite)]);
  const htaccess = serverConfigText("apache", { ...exampleSite, isHtaccess: true });
  assert.deepEqual(blocks("apache", "operations.md"), [serverConfigText("apache", exampleSite), htaccess]);
  assert.deepEqual(blocks("caddy", "operations.md"), [serverConfigText("caddy", exampleSite)]);
  assert.deepEqual(blocks("dockerfile", "operations.md"), [serverConfigText("docker", exampleSite)]);
  assert.equal(blocks("yaml", "operations.md")[0], serverConfigText("compose", exampleSite));
  const service = `${blocks("sh", "operations.md")[0]}\n${blocks("ini", "operations.md")[0]}`;
  assert.equal(serverConfigText("systemd", exampleSite), service);
  assert.deepEqual(blocks("crontab", "backups.md"), [`${cronPath}\n${backupLine}\n`]);
  assert.deepEqual(blocks("crontab", "automations.md"), [`${cronPath}\n${processLine}\n`]);
  assert.deepEqual(blocks("nginx", "serving-files.md"), [handoverLocation(exampleSite, "/protected-files/")]);
});

test("PROXY-15 the Dockerfile of the repository is the one that is printed", () => {
  assert.equal(readFileSync(new URL("Dockerfile", root), "utf8"), serverConfigText("docker", exampleSite));
});

test("ADM-12 they carry the address, the port and the paths of the installation", () => {
  const site = {
    ...exampleSite,
    ...{ hostname: "stones.example.net", url: "https://stones.example.net", host: "0.0.0.0", port: 9000 },
    ...{ dataDir: "/data/stones", publicDir: "/opt/my site", root: "/opt/cairn", user: "ada" },
    handoverPrefix: "/files-of-cairn/",
  };
  const nginx = serverConfigText("nginx", site);
  assert.match(nginx, /server 127\.0\.0\.1:9000;/);
  assert.match(nginx, /server_name stones\.example\.net;/);
  assert.match(nginx, /root "\/opt\/my site";/);
  assert.match(nginx, /^ {2}location \^~ \/files-of-cairn\/ \{\n {4}internal;\n {4}alias \/data\/stones\/;/m);
  const service = serverConfigText("systemd", site);
  assert.match(service, /^CAIRN_DATA=\/data\/stones$/m);
  assert.match(service, /^CAIRN_PORT=9000$/m);
  assert.match(service, /^ExecStart=\/opt\/cairn\/bin\/cairn serve$/m);
  assert.match(service, /^User=ada$/m);
  assert.match(service, /^ReadWritePaths=\/data\/stones$/m);
  assert.match(serverConfigText("caddy", site), /^stones\.example\.net \{/m);
  assert.match(serverConfigText("apache", { ...site, host: "::1" }), /"http:\/\/\[::1\]:9000%1"/);
  assert.match(serverConfigText("compose", site), /CAIRN_URL: https:\/\/stones\.example\.net/);
});

test("PROXY-1 options replace what the settings say, and choose what sends the files", () => {
  const choice = { domain: "stones.example.net:8443", public: "/srv/stones", upstream: "[::1]:9000" };
  const site = choose("nginx", exampleSite, choice);
  assert.deepEqual([site.hostname, site.frontPort, site.host, site.port], ["stones.example.net", 8443, "::1", 9000]);
  const nginx = serverConfigText("nginx", site);
  assert.match(nginx, /listen 8443;\n {2}server_name stones\.example\.net;/);
  assert.match(nginx, /server \[::1\]:9000;/);
  assert.match(nginx, /root \/srv\/stones;/);
  for (const server of ["nginx", "apache", "caddy"] as const) {
    const both = (["server", "cairn"] as const).map((files) => choose(server, exampleSite, { files }));
    const texts = both.map((facts) => serverConfigText(server, facts).includes("/srv/cairn/public"));
    assert.deepEqual(texts, [true, false], server);
  }
  assert.ok(!serverConfigText("caddy", exampleSite).includes("/srv/cairn/public"));
});

test("PROXY-1 a data directory inside the folder of files is left to Cairn, by its name and by its place", () => {
  const site = { ...exampleSite, dataDir: "/srv/cairn/public/my.data/x" };
  for (const server of ["nginx", "apache"] as const)
    assert.ok(serverConfigText(server, site).includes(String.raw`^/(?:admin|data|x|my\.data/x)(?:/|$)`), server);
});

test("PROXY-2 a value that fits no file is refused by its name", () => {
  const wrong: [keyof ServerChoice | "htaccess", ServerChoice, "nginx" | "apache"][] = [
    ["domain", { domain: "a b" }, "nginx"],
    ["domain", { domain: "example.org;" }, "nginx"],
    ["domain", { domain: "example.org:99999" }, "nginx"],
    ["upstream", { upstream: "127.0.0.1" }, "nginx"],
    ["upstream", { upstream: "http://127.0.0.1:8080" }, "nginx"],
    ["public", { public: "/srv/$x" }, "nginx"],
    ["public", { public: '/srv/"\n' }, "apache"],
    ["files", { files: "nobody" }, "nginx"],
    ["files", { files: "server", isHtaccess: true }, "apache"],
    ["htaccess", { isHtaccess: true }, "nginx"],
  ];
  for (const [name, choice, server] of wrong)
    assert.throws(
      () => choose(server, exampleSite, choice),
      (error) => error instanceof CairnError && error.status === 400 && Object.keys(error.details ?? {})[0] === name,
      JSON.stringify(choice),
    );
});
