// The starters as they are shipped: whole, small, and as the guide shows them.

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { readStarter, starterNames } from "./starter-folder.ts";

const guide = readFileSync(resolve(import.meta.dirname, "../../../docs/guides/site.md"), "utf8");

test("JMP-35 the guide of the website shows the templates of the starter as they are", async () => {
  const { definition } = await readStarter("walks");
  const texts = new Map(definition.templates.map(({ id, template }) => [id, template]));
  const excerpts = [...guide.matchAll(/^In `([\w/-]+)`:\n\n```liquid\n(.*?)```/gms)];
  assert.ok(excerpts.length >= 9, String(excerpts.length));
  assert.equal(excerpts.length, guide.split("```liquid").length - 1, "each excerpt names its template");
  for (const [, id = "", excerpt = ""] of excerpts)
    assert.ok(texts.get(id)?.includes(excerpt.trimEnd()), `${id}:\n${excerpt}`);
});

test("JMP-35 each starter has a layout, and pages whose templates are there", async () => {
  for (const name of starterNames) {
    const { definition, files } = await readStarter(name);
    const ids = new Set(definition.templates.map(({ id }) => id));
    assert.ok(ids.has("layouts/default"), name);
    const objects = definition.objects as { collection: string; id: string; data: Record<string, unknown> }[];
    const pages = objects.filter(({ collection }) => collection === "builder-pages");
    for (const { id, data } of pages) assert.ok(ids.has(`pages/${data.template}`), `${name}: ${id}`);
    const known = new Set(objects.map(({ collection, id }) => `${collection}/${id}`));
    for (const { collection, object } of files)
      assert.ok(known.has(`${collection}/${object}`), `${collection}/${object}`);
  }
});

test("JMP-35 the starter is small: its pictures together, its style sheet and its font", async () => {
  const { files, publicFiles } = await readStarter("walks");
  const size = (path: string | undefined) => statSync(path ?? "").size;
  const pictures = [
    ...files.map(({ path }) => path),
    ...[...publicFiles.values()].filter((path) => /webp$/.test(path)),
  ];
  assert.ok(pictures.reduce((sum, path) => sum + size(path), 0) < 600_000);
  for (const path of pictures) assert.ok(size(path) < 60_000, path);
  assert.ok(size(publicFiles.get("site.css")) < 14_000);
  assert.ok(size(publicFiles.get("fonts/source-sans-3.woff2")) < 30_000);
});

const tags =
  "layout block render query get view search nav pagination breadcrumbs alternates head script style fragment redirect abort " +
  "header assign capture case comment cycle decrement echo for if increment liquid raw tablerow unless";
const filters =
  "image_tag picture_tag image_colors url absolute_url asset_url download_url stream_url with_query object related markdown " +
  "markdown_inline excerpt toc headings_ids embed t localize truncate_words slug initials pluralize obfuscate_email date time " +
  "relative_date number price filesize readtime where_any group_by key_by sum avg json csv debug image_url";

test("JMP-35 the starter uses every tag and every filter of templates", async () => {
  const { definition } = await readStarter("walks");
  const text = definition.templates.map(({ template }) => template).join("\n");
  for (const tag of tags.split(" ")) assert.ok(new RegExp(`\\{%-? *${tag}\\b`).test(text), tag);
  for (const filter of filters.split(" ")) assert.ok(new RegExp(`\\| *${filter}\\b`).test(text), filter);
});
