import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { backupLine, cronPath, exampleSite, handoverLocation, processLine, serverConfigText } from "./server-config.ts";

const guide = (name: string) => readFileSync(new URL(`../../docs/guides/${name}`, import.meta.url), "utf8");
const block = (language: string, name: string): string => {
  const [, text] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(guide(name)) ?? [];
  return text ?? assert.fail(`${name} has no block ${language}`);
};

test("ADM-12 the configurations are those of the guides, which are tested as printed", () => {
  assert.equal(serverConfigText("nginx", exampleSite), block("nginx", "operations.md"));
  assert.equal(serverConfigText("apache", exampleSite), block("apache", "operations.md"));
  assert.equal(serverConfigText("caddy", exampleSite), block("caddy", "operations.md"));
  assert.equal(serverConfigText("container", exampleSite), block("dockerfile", "operations.md"));
  const service = `${block("sh", "operations.md")}\n${block("ini", "operations.md")}`;
  assert.equal(serverConfigText("systemd", exampleSite), service);
  assert.equal(`${cronPath}\n${backupLine}\n`, block("crontab", "backups.md"));
  assert.equal(`${cronPath}\n${processLine}\n`, block("crontab", "automations.md"));
  assert.equal(handoverLocation(exampleSite, "/protected-files/"), block("nginx", "serving-files.md"));
});

test("ADM-12 they carry the address, the port and the paths of the installation", () => {
  const site = {
    ...exampleSite,
    ...{ hostname: "stones.example.net", url: "https://stones.example.net", host: "0.0.0.0", port: 9000 },
    ...{ dataDir: "/data/stones", root: "/opt/cairn", user: "ada", maxUploadBytes: 5_000_000 },
    handoverPrefix: "/files-of-cairn/",
  };
  const nginx = serverConfigText("nginx", site);
  assert.match(nginx, /server 127\.0\.0\.1:9000;/);
  assert.match(nginx, /server_name stones\.example\.net;/);
  assert.match(nginx, /client_max_body_size 5m;/);
  assert.match(nginx, /^ {2}location \/files-of-cairn\/ \{\n {4}internal;\n {4}alias \/data\/stones\/;/m);
  const service = serverConfigText("systemd", site);
  assert.match(service, /^CAIRN_DATA=\/data\/stones$/m);
  assert.match(service, /^CAIRN_PORT=9000$/m);
  assert.match(service, /^ExecStart=\/opt\/cairn\/bin\/cairn serve$/m);
  assert.match(service, /^User=ada$/m);
  assert.match(serverConfigText("caddy", site), /^stones\.example\.net \{/);
  assert.match(serverConfigText("apache", { ...site, host: "::1" }), /http:\/\/\[::1\]:9000\//);
});
