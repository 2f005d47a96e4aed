import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { JsonObject } from "#contract/json.ts";
import { deprecatedMembers, usedKeys, usedMembers } from "./deprecations.ts";
import { manifestSchema } from "./manifest/read-manifest.ts";

const types = `declare module "cairn/extension" {
  export interface Cairn {
    /** As it is. */
    html(text: string): Html;
    /**
     * Was first.
     * @deprecated Use \`render\`
     * until 2.0.
     */
    print(text: string): void;
    readonly objects: {
      /** @deprecated Use create. */
      clone(id: string): void;
      get(id: string): void;
    };
  }
}`;

test("EXT-79 members that the types mark as deprecated are found where code uses them", () => {
  const members = deprecatedMembers(types);
  assert.deepEqual(members, [
    { member: "print", advice: "Use `render` until 2.0." },
    { member: "objects.clone", advice: "Use create." },
  ]);
  const code = new Map([
    ["index.ts", "cairn.print('x'); call.as.objects.clone('a'); other.clone(); cairn.html('');"],
    ["admin/a.ts", "export default class extends HTMLElement {}"],
  ]);
  assert.deepEqual(usedMembers(members, code), [
    "index.ts uses print, which will go. Use `render` until 2.0.",
    "index.ts uses objects.clone, which will go. Use create.",
  ]);
  const shipped = readFileSync(new URL("../../types/extension.d.ts", import.meta.url), "utf8");
  const marks = shipped.split("/** ").filter((part) => /^[^/]*@deprecated/.test(part)).length;
  assert.equal(deprecatedMembers(shipped).length, marks, "every mark of the shipped types is read");
});

test("EXT-79 keys that the schema of manifests marks as deprecated are found", () => {
  const schema = structuredClone(manifestSchema) as { $defs: Record<string, { properties?: JsonObject }> } & JsonObject;
  const manifest = { id: "acme/map", icon: "i.svg", contributes: { routes: [{ name: "near", limit: 6 }] } };
  assert.deepEqual(usedKeys(manifest, schema), []);
  const mark = (at: JsonObject | undefined, key: string) =>
    Object.assign(at?.[key] as object, { deprecated: true, description: "Use less." });
  mark(schema.properties as JsonObject, "icon");
  const routes = (
    schema.properties as {
      contributes: { properties: { routes: { items: { $ref?: string; properties?: JsonObject } } } };
    }
  ).contributes.properties.routes.items;
  mark(routes.properties ?? schema.$defs[(routes.$ref ?? "").split("/").at(-1) ?? ""]?.properties, "limit");
  assert.deepEqual(usedKeys(manifest, schema), [
    "extension.json has icon, which will go. Use less.",
    "extension.json has contributes.routes[0].limit, which will go. Use less.",
  ]);
});
