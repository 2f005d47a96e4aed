// Templates of the site's folder, parsed and kept. A save moves the version `templates` in every process, and so does
// `followTemplateFiles` for files that an editor or git has changed.

import { characterBytes } from "#base/caches/kind-store.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { createVersionedMap } from "#base/caches/versioned-cache.ts";
import type { App } from "#context.ts";
import { listTemplateFiles, readTemplateFile, templatePlace } from "#site/template-files.ts";
import type { Storage } from "#storage/port.ts";
import { addedFilterNames } from "./added-filters.ts";
import type { ParsedTemplate, TemplateSource } from "./template-source.ts";
import { parseTemplate } from "./template-store.ts";

/** Characters of all templates that are kept; the parsed form takes more. */
const capacity = 20_000_000;

type Kept = { template: ParsedTemplate | undefined };

const kept = createVersionedMap<Storage, Kept>(
  (storage) => `${storage.version("templates")} ${storage.version("extensions")}`,
  { kind: cacheKinds.templates, capacity, unit: characterBytes },
  ({ template }, key) => (template?.text.length ?? 0) + key.length + 1_000,
);

export function storedTemplates(
  app: Pick<App, "storage" | "settings" | "extensions">,
  { isMarkup, overlay }: { isMarkup: boolean; overlay?: ReadonlyMap<string, string> | undefined },
): TemplateSource {
  const { folder } = templatePlace(app.settings);
  const own = new Map<string, ParsedTemplate>();
  const read = async (id: string): Promise<Kept> => {
    const stored = id.startsWith(extensionTemplates)
      ? await readExtensionTemplate(app, id)
      : await readTemplateFile(folder, id);
    return { template: stored && parseTemplate(id, stored.text, isMarkup, await addedFilterNames(app)) };
  };
  return {
    async load(id) {
      const text = overlay?.get(id);
      if (text === undefined) return (await kept.get(app.storage, `${isMarkup} ${id}`, () => read(id))).template;
      const parsed = own.get(id) ?? parseTemplate(id, text, isMarkup, await addedFilterNames(app));
      own.set(id, parsed);
      return parsed;
    },
    ids: async () => [...(await listTemplateFiles(folder)).map(({ id }) => id), ...(overlay?.keys() ?? [])],
  };
}

/** Templates of extensions are named `ext/{vendor}/{name}/...`, and cannot be changed. */
const extensionTemplates = "ext/";

async function readExtensionTemplate(
  { extensions }: Pick<App, "extensions">,
  id: string,
): Promise<{ text: string } | undefined> {
  const [, vendor, name, ...rest] = id.split("/");
  const folder = (await extensions.templates()).get(`${vendor}/${name}`);
  return folder === undefined || rest.length === 0 ? undefined : readTemplateFile(folder, rest.join("/"));
}
