// What the README and the guides print for a terminal, run as it is written, against a server of this test.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { ensureCommand } from "../../scripts/debian.ts";
import { root, type Server, startServer } from "../harness.ts";

let server: Server;

before(async () => {
  server = await startServer();
});
after(() => server.stop());

test("START-19 every command of the README works as it is written", async () => {
  const page = readFileSync(join(root, "README.md"), "utf8");
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
  const script = blocks.join("\necho '---'\n").replaceAll("http://127.0.0.1:8080", server.url);
  const { stdout, stderr } = await promisify(execFile)("bash", ["--norc", "-eu", "-c", script], {
    cwd: root,
    env: server.env,
  });
  assert.equal(stderr, "");
  const [, definitions, writes, found, refused, opened] = stdout.split("---\n");
  assert.match(definitions as string, /"id":"article".*"data":\{"id":"news"/s);
  assert.match(
    writes as string,
    /"id":"a-path-of-stones".*"title":"A path of old stones".*\{"property":"views","value":1\}/s,
  );
  assert.match(found as string, /\{"data":\[\{"id":"a-path-of-stones".*"total":1/s);
  assert.match(refused as string, /"code":400.*"title":\[.*"views":\[/s);
  assert.match(opened as string, /"publicOperations":\["read"\].*\{"data":\[\{"id":"a-path-of-stones".*\]\}id,title,/s);
});

const guides = join(root, "docs", "guides");
function blocksOf(language: string, ...names: string[]): string[] {
  return names
    .map((name) => readFileSync(join(guides, name), "utf8"))
    .flatMap((page) => [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))])
    .map(([, block]) => block as string);
}

test("START-27 the cron lines of the guides do their work in the environment that cron gives", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-cron-"));
  mkdirSync(join(folder, "bin"));
  symlinkSync(join(root, "bin", "cairn"), join(folder, "bin", "cairn"));
  const [settings = ""] = blocksOf("sh", "operations.md");
  writeFileSync(join(folder, "cairn.env"), settings.replace("/var/lib/cairn", server.dataDir));
  const crontabs = blocksOf("crontab", "backups.md", "automations.md");
  assert.equal(crontabs.length, 2);
  for (const crontab of crontabs) {
    const [path, line] = crontab.trim().split("\n") as [string, string];
    const command = line
      .replace(/^(\S+ ){5}/, "")
      .replaceAll("\\%", "%")
      .replaceAll("/etc/cairn.env", join(folder, "cairn.env"))
      .replaceAll("/backups", folder);
    const place = path.replace("PATH=", `PATH=${join(folder, "bin")}:`);
    await promisify(execFile)("env", ["-i", `HOME=${folder}`, "SHELL=/bin/sh", place, "/bin/sh", "-c", command], {
      cwd: folder,
    });
  }
  const backups = readdirSync(folder).filter((name) => name.endsWith(".zip"));
  assert.equal(backups.length, 1);
  const { stdout } = await server.cli(["backup:verify", join(folder, backups[0] as string), "--json"]);
  assert.equal(JSON.parse(stdout).objects, 1);
  rmSync(folder, { recursive: true });
});

test("START-28, PROXY-14 the unit of the guides is one that systemd takes, starts at boot and can write to its data alone", async () => {
  ensureCommand("systemd-analyze", "systemd");
  const [unit = ""] = blocksOf("ini", "operations.md");
  assert.match(unit, /^\[Install\]\nWantedBy=multi-user\.target$/m);
  for (const line of [
    "Type=exec",
    "User=cairn",
    "ProtectSystem=strict",
    "ReadWritePaths=/var/lib/cairn",
    "TimeoutStopSec=15",
  ])
    assert.ok(unit.includes(`\n${line}\n`), line);
  assert.equal(unit.match(/^(?:ReadWritePaths|StateDirectory|CacheDirectory|BindPaths)=/gm)?.length, 1);
  const folder = mkdtempSync(join(tmpdir(), "cairn-unit-"));
  const file = join(folder, "cairn.service");
  writeFileSync(file, unit.replaceAll("/srv/cairn", root).replace("User=cairn", "User=root"));
  const { stderr } = await promisify(execFile)("systemd-analyze", ["verify", "--man=no", file]);
  assert.doesNotMatch(stderr, /cairn\.service/);
  rmSync(folder, { recursive: true });
});

test("START-29 no guide calls cairn by npx, which may fetch another package of that name", () => {
  const names = readdirSync(guides).filter((name) => name.endsWith(".md"));
  assert.ok(names.length > 10, names.join(" "));
  for (const name of names) assert.doesNotMatch(readFileSync(join(guides, name), "utf8"), /npx cairn/, name);
});

test("PROXY-15 the container file runs without root, and its health check asks the server", async () => {
  const [text = ""] = blocksOf("dockerfile", "operations.md");
  const steps = text
    .replaceAll("\\\n", "")
    .split("\n")
    .filter((line) => /^[A-Z]+ /.test(line));
  const last = steps.slice(steps.findLastIndex((line) => line.startsWith("FROM ")));
  const has = (step: RegExp) =>
    assert.ok(
      last.some((line) => step.test(line)),
      `${step} in ${last.join("\n")}`,
    );
  assert.match(last[0] as string, /^FROM node:24-slim$/);
  for (const step of [/^USER node$/, /^VOLUME \/data$/, /^STOPSIGNAL SIGTERM$/, /^CMD \["bin\/cairn", "serve"\]$/])
    has(step);
  assert.ok(last.indexOf("USER node") > last.findLastIndex((line) => line.startsWith("RUN ")));
  const [, command = ""] = /CMD (\[.*\])/.exec(last.find((line) => line.startsWith("HEALTHCHECK ")) ?? "") ?? [];
  const [node, ...args] = JSON.parse(command.replace("http://127.0.0.1:8080", server.url)) as string[];
  await promisify(execFile)(node as string, args);
  const dead = args.map((part) => part.replace(server.url, "http://127.0.0.1:1"));
  await assert.rejects(promisify(execFile)(node as string, dead), { code: 1 });
  const [compose = ""] = blocksOf("yaml", "operations.md");
  for (const line of ["stop_grace_period: 15s", "read_only: true", "- data:/data", '- "127.0.0.1:8080:8080"'])
    assert.ok(compose.includes(`  ${line}\n`), line);
});

test("START-60 the newest release of the changelog has a date and the version that all packages have", async () => {
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const headings = [...changelog.matchAll(/^## (.+)$/gm)].map(([, text]) => text as string);
  const releases = headings.filter((text) => text !== "Unreleased");
  for (const text of releases) assert.match(text, /^\d+\.\d+\.\d+, \d{4}-\d{2}-\d{2}(: .+)?$/);
  assert.ok(headings.indexOf("Unreleased") <= 0, headings.join("; "));
  const [version] = (releases[0] as string).split(",") as [string];
  for (const name of ["package.json", "admin/package.json", "client/package.json", "package-lock.json"])
    assert.equal(JSON.parse(readFileSync(join(root, name), "utf8")).version, version, name);
  assert.equal((await server.cli(["--version"])).stdout, `${version}\n`);
  assert.equal(JSON.parse((await server.cli(["info", "--json"])).stdout).version, version);
  assert.ok(readFileSync(join(root, "README.md"), "utf8").includes(`version ${version}`));
});

test("START-60 the commands of the update guide find the newest release among the tags", async () => {
  const [line = ""] = /^git tag .*$/m.exec(readFileSync(join(guides, "operations.md"), "utf8")) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "cairn-tags-"));
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-c", "user.name=x", "-c", "user.email=x@example.org", ...args], { cwd: folder });
  await git("init", "-q");
  await git("commit", "-q", "--allow-empty", "-m", "x");
  for (const tag of ["v0.1.0", "v0.10.0", "v0.9.1", "other"]) await git("tag", tag);
  const { stdout } = await promisify(execFile)("sh", ["-c", line], { cwd: folder });
  assert.equal(stdout, "v0.10.0\n");
  rmSync(folder, { recursive: true });
});
