// Templates on real stores: queries, references, drafts, and what was read asked again after a write.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createCollection } from "#content/collections/collections.ts";
import { createSchema } from "#content/collections/schemas.ts";
import { createObject, deleteObject, patchObject } from "#content/objects/objects.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import type { PropertyDefinition } from "#contract/schemas.ts";
import type { PageRequest } from "#site/pages/page-request.ts";
import { templatePlace, writeTemplateFile } from "#site/template-files.ts";
import { createTemplate, replaceTemplate } from "#site/templates.ts";
import { createRenderPage } from "./create-render-page.ts";
import { noRecorder, type RecordedQuery } from "./recorder.ts";

let ctx: Context;
let close: () => Promise<void>;

const request: PageRequest = {
  ...{ path: "/", query: new Map(), search: "", method: "GET", locale: "en", wantsJson: false, requestId: "r1" },
  visitor: async () => undefined,
};

before(async () => {
  const opened = await openTestContext();
  ctx = opened.ctx;
  close = opened.close;
  const text: PropertyDefinition = { type: "string", field: "text" };
  const properties = { id: text, title: text, author: { ...text, reference: "people" }, draft: { type: "boolean" } };
  await createSchema(ctx, { id: "story", properties, index: ["id", "title", "author"] } as never);
  await createSchema(ctx, { id: "person", properties: { id: text, name: text }, index: ["id"] } as never);
  await createCollection(ctx, { id: "stories", schema: "story", url: "/stories", prettyUrl: true });
  await createCollection(ctx, { id: "people", schema: "person", onSite: true });
  await createCollection(ctx, { id: "closed", schema: "person" });
  for (const id of ["ann", "bob"]) await createObject(ctx, "people", { id, name: id.toUpperCase() });
  await createObject(ctx, "closed", { id: "secret", name: "Secret" });
  for (const id of ["a", "b"])
    await createObject(ctx, "stories", { id, title: `Story ${id}`, author: id === "a" ? "ann" : "bob" });
  await createObject(ctx, "stories", { id: "d", title: "Draft", author: "ann", draft: true });
});

after(() => close());

async function show(text: string, queries: RecordedQuery[] = []): Promise<string> {
  const { folder } = templatePlace(ctx.settings);
  const id = `pages/test-${Math.abs(hashOf(text))}`;
  await writeTemplateFile(folder, id, { text });
  const recorder = { ...noRecorder, query: (query: RecordedQuery) => void queries.push(query) };
  const rendered = await createRenderPage(ctx)({ template: id, kind: "html", params: {} }, request, recorder);
  return rendered.kind === "page" ? rendered.body : rendered.kind;
}

function hashOf(text: string): number {
  return [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7);
}

test("TMPL-46 templates read published objects of the site from the database, as they are after each write", async () => {
  const list =
    '{% query l from "stories", with: "author" %}{% for s in l %}{{ s.title }} {{ s.author.name }} {{ s.url }};{% endfor %}{{ l.total }}';
  const queries: RecordedQuery[] = [];
  assert.equal(await show(list, queries), "Story a ANN /stories/a;Story b BOB /stories/b;2");
  const [query] = queries;
  assert.deepEqual(
    query?.objects.map(({ id, rev }) => ({ id, rev })),
    (await query?.ask())?.rows,
  );
  await patchObject(ctx, "stories", "b", { body: { title: "New" } });
  assert.equal(await show(list), "Story a ANN /stories/a;New BOB /stories/b;2");
  assert.notDeepEqual(
    query?.objects.map(({ id, rev }) => ({ id, rev })),
    (await query?.ask())?.rows,
  );
  assert.equal((await query?.ask())?.total, 2);
  await deleteObject(ctx, "people", "bob");
  assert.equal(
    await show(
      '{% get s from "stories", "b", with: "author" %}[{{ s.author.name }}]{% get d from "stories", "d" %}{{ d.title }}',
    ),
    "[]",
  );
  assert.equal(await show('{% get p from "people", "ann" %}{% assign r = p | related %}{{ r | map: "id" }}'), "a");
  assert.equal(
    await show(
      '{% query c from "closed" %}{{ c.size }}{% get x from "closed", "secret" %}{{ x.name }}{% query u from "auth" %}{{ u.size }}',
    ),
    "00",
  );
  assert.equal(
    await show(
      '{% query l from "stories", include: "title:New", limit: 1 %}{{ l.first.id }}{% query n from "stories", sort: "-title" %}{{ n.first.id }}',
    ),
    "ba",
  );
});

test("TMPL-45 a tag or filter that does not exist is refused when a template of pages is saved; mails are checked as before", async () => {
  const bad = { id: "pages/bad", template: "x\n{{ a | upcaes }}" };
  await assert.rejects(createTemplate(ctx, bad), (error: Error & { details?: Record<string, string[]> }) => {
    assert.match(String(error.details?.template?.[0]), /Line 2: There is no filter "upcaes". Did you mean "upcase"/);
    return true;
  });
  await assert.rejects(createTemplate(ctx, { id: "partials/bad", template: "{% include 'x' %}" }), /not valid/);
  await createTemplate(ctx, { id: "emails/fine", template: "{{ a | upcaes }}" });
  await createTemplate(ctx, { id: "pages/good", template: "one" });
  const page = () => createRenderPage(ctx)({ template: "pages/good", kind: "html", params: {} }, request, noRecorder);
  const bodies = [await page()];
  await replaceTemplate(ctx, "pages/good", { template: "two" });
  bodies.push(await page());
  assert.deepEqual(
    bodies.map((rendered) => rendered.kind === "page" && rendered.body),
    ["one", "two"],
  );
});
