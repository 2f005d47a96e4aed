// What `extension:new` writes for each kind of contribution: the lines of the manifest, of the code, of the test, and files.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { coreWords } from "#contract/command-words.ts";
import type { JsonObject } from "#contract/json.ts";

/** Names of the new extension, in the forms that contributions need. */
export interface NewNames {
  id: string;
  /** For tools and filters: a-z, 0-9 and "_". */
  word: string;
  /** The first word of commands. */
  command: string;
  title: string;
  runtime: string;
}

export interface NewPart {
  contributes: JsonObject;
  /** Lines of `register`. */
  code: string;
  test?: string;
  files?: Record<string, string>;
  /** For the README. */
  about: string;
}

export function namesOf(id: string, runtime: string): NewNames {
  const [vendor = "", name = ""] = id.split("/");
  const plain = /^[a-z]/.test(name) ? name : `x-${name}`;
  const command = coreWords.has(plain) ? `${vendor}-${plain}`.replace(/^[^a-z]+/, "x-") : plain;
  const title = name.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase());
  return { id, word: plain.replaceAll("-", "_"), command, title, runtime };
}

/** Texts beside this file, with names in double braces. */
function filled(file: string, values: Record<string, string> = {}): string {
  const text = readFileSync(join(import.meta.dirname, "new", file), "utf8");
  return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name) => values[name] ?? whole);
}

const indent = (lines: string, by = "  ") => lines.replaceAll(/^(?=.)/gm, by);

export const parts: Readonly<Record<string, (names: NewNames) => NewPart>> = {
  route: ({ id }) => ({
    contributes: { routes: [{ name: "hello", method: "GET", path: "/hello/{name}", access: "public", limit: 60 }] },
    code: `// GET /api/ext/${id}/hello/Ada
cairn.route("hello", async (call) => {
  const { name = "" } = call.params;
  if (name.length > 40) cairn.fail(400, "The name is too long.", { name: ["may have 40 characters"] });
  return { body: { hello: name, caller: call.actor.kind } };
});`,
    test: `test("the route greets", async () => {
  const answer = await site.fetch("/api/ext/${id}/hello/Ada", { as: "anonymous" });
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { hello: "Ada", caller: "anonymous" });
});`,
    about: `The route \`GET /api/ext/${id}/hello/{name}\`, for everybody.`,
  }),
  tool: ({ word }) => ({
    contributes: {
      tools: [
        {
          name: `${word}_greet`,
          title: "Greet",
          description: "Greets somebody by name.",
          input: { type: "object", required: ["name"], properties: { name: { type: "string", maxLength: 40 } } },
          output: { type: "object", required: ["greeting"], properties: { greeting: { type: "string" } } },
          readOnly: true,
          scope: "cms:read",
        },
      ],
    },
    code: `// A tool for AI clients; its arguments fit the schema of the manifest.
cairn.tool("${word}_greet", async (_call, { name }) => ({ greeting: \`Hello, \${name}!\` }));`,
    test: `test("the tool greets", async () => {
  assert.deepEqual(await site.mcp("${word}_greet", { name: "Ada" }), { greeting: "Hello, Ada!" });
});`,
    about: `The tool \`${word}_greet\` for AI clients.`,
  }),
  command: ({ command }) => ({
    contributes: {
      commands: [
        {
          name: `${command}:hello`,
          about: "Say hello",
          arguments: "[name]",
          options: [["--loud", "in capital letters"]],
        },
      ],
    },
    code: `// cairn ${command}:hello Ada --loud
cairn.command("${command}:hello", async (call, options, name = "world") => {
  const text = options.loud ? \`HELLO, \${name.toUpperCase()}!\` : \`Hello, \${name}!\`;
  await call.print(call.isJson ? JSON.stringify({ text }) : text);
});`,
    test: `test("the command greets", async () => {
  const { code, stdout } = await site.cli("${command}:hello", "Ada", "--loud");
  assert.deepEqual([code, stdout], [0, "HELLO, ADA!\\n"]);
});`,
    about: `The command \`cairn ${command}:hello [name]\`.`,
  }),
  reaction: () => ({
    contributes: { reactions: [{ name: "noted", events: ["object.created", "object.updated"] }] },
    code: `// After a write, at least once: the same event may come twice.
cairn.reaction("noted", async (_call, event) => {
  await cairn.store.set("last", { collection: event.collection ?? null, id: event.id ?? null });
});`,
    about: "A reaction that notes the object that was changed last.",
  }),
  check: () => ({
    contributes: {
      checks: [{ name: "no-shouting", collections: ["*"], operations: ["create", "update"], onFailure: "open" }],
    },
    code: `// Before a write: refuses it, or returns { ok: true, changes: {...} } to change what is stored.
cairn.check("no-shouting", async (_call, { after }) => {
  const title = typeof after?.title === "string" ? after.title : "";
  if (title.length > 3 && title === title.toUpperCase() && title !== title.toLowerCase())
    return { ok: false, details: { title: ["must not be in capital letters"] } };
  return { ok: true };
});`,
    about: "A check that refuses titles in capital letters.",
  }),
  filter: ({ word }) => ({
    contributes: { filters: [{ name: `${word}_shorten`, args: 1 }] },
    code: `// {{ title | ${word}_shorten: 20 }}
cairn.filter("${word}_shorten", (value, length = 20) => {
  const text = String(value ?? "");
  return text.length > Number(length) ? \`\${text.slice(0, Number(length))}…\` : text;
});`,
    about: `The template filter \`${word}_shorten\`.`,
  }),
  field: ({ id }) => ({
    contributes: {
      fields: [
        {
          kind: "stars",
          title: "Stars",
          type: "number",
          schema: "stars.schema.json",
          element: "admin/stars.ts",
          normalise: true,
        },
      ],
    },
    code: `// Before values of the kind are stored. The schema file has refused what is no number from 0 to 5 by then.
cairn.field("stars", {
  normalise: (values) => values.map(({ value }) => ({ value: typeof value === "number" ? Math.round(value) : value })),
});`,
    files: {
      "stars.schema.json": `${JSON.stringify({ type: "number", minimum: 0, maximum: 5 }, null, 2)}\n`,
      "admin/stars.ts": filled("stars.txt"),
    },
    about: `The field kind \`stars\`: a property of a schema names it as \`"field": "${id}:stars"\`.`,
  }),
  page: ({ title, runtime }) => ({
    contributes: {
      adminPages: [{ name: "overview", title, path: "", element: "admin/overview.ts", icon: "puzzle", nav: "manage" }],
    },
    code: "",
    files: { "admin/overview.ts": filled(runtime === "node" ? "overview.txt" : "framed.txt") },
    about: `The admin page "${title}" under Manage.`,
  }),
};

export function codeOf(chosen: readonly NewPart[]): string {
  const bodies = chosen.map(({ code }) => code).filter((code) => code !== "");
  return filled("index.txt", { functions: bodies.map((code) => indent(code)).join("\n\n") });
}

export function testOf(names: NewNames, chosen: readonly NewPart[]): string {
  const tests = chosen.flatMap(({ test }) => (test === undefined ? [] : [test]));
  const loads = `test("the extension is enabled", async () => {
  const answer = await site.fetch("/api/extensions/${names.id}");
  const { data } = (await answer.json()) as { data: { state: string; error: string | null } };
  assert.deepEqual([data.state, data.error], ["enabled", null]);
});`;
  return filled("test.txt", { id: names.id, tests: [loads, ...tests].join("\n\n") });
}

export function readmeOf({ id, title }: NewNames, chosen: readonly NewPart[]): string {
  return `# ${title}

An extension of Cairn.

${chosen.map(({ about }) => `- ${about}`).join("\n")}

## Work on it

- \`cairn dev\` runs it, and loads it again when a file is saved. Enable it once: \`cairn extension:enable ${id}\`.
- \`cairn extension:check ${id}\` finds mistakes, \`cairn extension:test ${id}\` runs its tests.
- \`cairn extension:log ${id}\` shows what it logged.
- \`cairn.d.ts\` and \`cairn.schema.json\` are for the editor: \`cairn extension:types ${id}\` copies those of a newer Cairn.
`;
}
