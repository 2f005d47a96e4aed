// Links: addresses of objects, pages and files.

import { absolute, findAddress, withPreview } from "#site/template/addresses.ts";
import { type FilterCall, registerFilter } from "#site/template/define.ts";
import { textOf } from "#site/template/html-value.ts";
import { warn } from "#site/template/rendering.ts";
import { findFileMeta } from "#site/template/values.ts";

registerFilter("url", (value, _args, { rendering }) => findAddress(rendering, value));

registerFilter("absolute_url", async (value, _args, { rendering }) =>
  absolute(rendering, await findAddress(rendering, value)),
);

/** A file of `public/`; with the hash of its bytes it can be kept for a year. */
registerFilter("asset_url", async (value, _args, { rendering }) => {
  const path = `/${textOf(value).replace(/^\/+/, "")}`;
  if (path.includes("..")) throw new Error(`"${path}" is not a path below public/`);
  const found = await rendering.reader.asset(path);
  if (found) return withPreview(rendering, found.hash === undefined ? found.path : `${found.path}?v=${found.hash}`);
  warn(rendering, `There is no file ${path} in public/.`);
  return path;
});

/** Nothing for a file that is locked: its address needs a pwd. */
async function fileAddress(value: unknown, { rendering }: FilterCall, door: "download" | "stream"): Promise<string> {
  const meta = findFileMeta(value);
  if (!meta) return "";
  const { collection, id, path } = meta;
  if (!(await rendering.reader.isOpenFile(collection, id, path))) return "";
  return withPreview(rendering, `/${door}/${[collection.id, id, ...path].map(encodeURIComponent).join("/")}`);
}

registerFilter("download_url", (value, _args, call) => fileAddress(value, call, "download"));
registerFilter("stream_url", (value, _args, call) => fileAddress(value, call, "stream"));

/** `{{ request.path | with_query: page: 2, tag: "a" }}`; an empty value takes the parameter out. */
registerFilter("with_query", (value, _args, { named }) => {
  const address = textOf(value);
  const [path = "", fragment] = address.split("#", 2) as [string, string?];
  const [before = "", search = ""] = path.split("?", 2) as [string, string?];
  const query = new URLSearchParams(search);
  for (const [name, part] of Object.entries(named)) {
    if (textOf(part) === "") query.delete(name);
    else query.set(name, textOf(part));
  }
  const text = query.toString();
  return `${before}${text === "" ? "" : `?${text}`}${fragment === undefined ? "" : `#${fragment}`}`;
});
