// `npm run test:engine -- URL [file ...]`: the storage contract and the HTTP part, or some test files, on a database server that is there
// already. A run of both parts leaves a line in docs/engines.md with the server's version, the date and the counts. The role needs the
// right to create databases.

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";

const root = join(import.meta.dirname, "..");
const page = join(root, "docs/engines.md");
const parts = ["storage", "http"];

interface Outcome {
  code: number | null;
  text: string;
}

function runTests(words: readonly string[], url: string): Promise<Outcome> {
  const env = { ...process.env, CAIRN_TEST_SERVER_URL: url };
  const args = [join(import.meta.dirname, "test.ts"), ...words, "--engine=postgres", "--strict"];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk;
    process.stdout.write(chunk);
  });
  return new Promise((done) => child.once("close", (code) => done({ code, text })));
}

async function versionOf(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ version: string }>("SELECT version()");
  await client.end();
  return (rows[0]?.version ?? "unknown").split(" on ", 1)[0]?.replaceAll("|", "/") ?? "unknown";
}

/** A part without its closing line has not run. */
function countsOf(part: string, text: string): string {
  const found = new RegExp(`^${part} on postgres: (\\d+ passed, \\d+ failed)`, "m").exec(text);
  return found?.[1] ?? "did not run";
}

function note(version: string, text: string): string {
  const counts = parts.map((part) => countsOf(part, text));
  const line = `| ${[version, new Date().toISOString().slice(0, 10), ...counts].join(" | ")} |`;
  const rows = readFileSync(page, "utf8")
    .split("\n")
    .filter((row) => !row.startsWith(`| ${version} |`));
  rows.splice(rows.findIndex((row) => row.startsWith("|---")) + 1, 0, line);
  writeFileSync(page, rows.join("\n"));
  return line;
}

const [url, ...files] = process.argv.slice(2);
if (!url) {
  console.error("Name the server: npm run test:engine -- postgres://user@host/database");
  process.exit(2);
}
const version = await versionOf(url);
console.log(version);
const { code, text } = await runTests(files.length > 0 ? files : parts, url);
if (files.length === 0) console.log(note(version, text));
process.exitCode = code ?? 1;
