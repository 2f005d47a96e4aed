// `npm run test:engine -- URL [file ...]`: the storage contract and black-box files on a database server that is there already, and a line in
// docs/engines.md with its version, the date and the counts. The role needs the right to create databases.

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";

const root = join(import.meta.dirname, "..");
const page = join(root, "docs/engines.md");
const contract = ["src/storage/storage.postgres.test.ts"];
const blackBox = [
  "tests/http/content/objects.test.ts",
  "tests/http/content/collections.test.ts",
  "tests/http/content/references.test.ts",
  "tests/http/access/keys.test.ts",
  "tests/faults/two-servers.postgres.test.ts",
];

interface Counts {
  passed: number;
  failed: number;
}

function runFiles(files: readonly string[], url: string): Promise<Counts> {
  const env = { ...process.env, CAIRN_TEST_ENGINE: "postgres", CAIRN_TEST_POSTGRES_URL: url };
  const args = ["--test", "--test-reporter=tap", "--test-concurrency=1", "--test-timeout=900000", ...files];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk;
    process.stdout.write(chunk);
  });
  const read = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
  return new Promise((done) => {
    // A run without a summary has not been a run.
    child.once("close", (code) => done({ passed: read("pass"), failed: code === 0 ? 0 : Math.max(1, read("fail")) }));
  });
}

async function versionOf(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ version: string }>("SELECT version()");
  await client.end();
  return (rows[0]?.version ?? "unknown").split(" on ", 1)[0]?.replaceAll("|", "/") ?? "unknown";
}

const [url, ...files] = process.argv.slice(2);
if (!url) {
  console.error("Name the server: npm run test:engine -- postgres://user@host/database");
  process.exit(2);
}
const version = await versionOf(url);
const storage = await runFiles(contract, url);
const http = await runFiles(files.length > 0 ? files : blackBox, url);
const of = ({ passed, failed }: Counts) => `${passed} passed, ${failed} failed`;
const line = `| ${version} | ${new Date().toISOString().slice(0, 10)} | ${of(storage)} | ${of(http)} |`;
const text = readFileSync(page, "utf8");
const rows = text.split("\n").filter((row) => !row.startsWith(`| ${version} |`));
const at = rows.findIndex((row) => /^\|---/.test(row));
rows.splice(at + 1, 0, line);
writeFileSync(page, rows.join("\n"));
console.log(line);
process.exitCode = storage.failed + http.failed > 0 ? 1 : 0;
