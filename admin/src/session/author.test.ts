import { equal } from "node:assert/strict";
import { test } from "node:test";
import type { ChangeAuthor } from "@contract/history.ts";
import { author as words } from "#words/en/authors.ts";
import { authorText } from "./author.ts";

const text = (by: Partial<ChangeAuthor>) => authorText({ writer: "1", actor: "", door: "api", ...by }, words);

test("ADM-1201 the author of a change is named by person, application, key or automation, with the door", () => {
  equal(text({ actor: "user:ada", user: "ada", door: "session" }), "ada · Admin");
  equal(text({ actor: "user:ada", user: "ada", impersonator: "eve", door: "session" }), "eve as ada · Admin");
  equal(text({ user: "ada", client: { id: "c", name: "Writer" }, door: "mcp" }), "Writer for ada · MCP");
  equal(text({ actor: "key:k1", key: { id: "k1", name: "Feed" } }), "Key Feed · API");
  equal(text({ actor: "user:ada", user: "ada", automation: "tidy", door: "automation" }), "Automation tidy");
  equal(text({ actor: "extension:acme/x", door: "extension" }), "Extension acme/x");
  equal(text({ actor: "form:contact" }), "Form contact · API");
  equal(text({ actor: "system", door: "cli" }), "Cairn · Command line");
});
