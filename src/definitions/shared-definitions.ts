// Definitions of one kind where the database decides: the same interface as the files of a folder, read from the mirror.

import { deepFreeze } from "#base/freeze.ts";
import { parseLargeJson } from "#base/json.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { type Definitions, definitionText } from "#files/definition-files.ts";
import type { Change, Mirror } from "./mirror.ts";

export function sharedDefinitions(mirror: Mirror, kind: string): Definitions {
  const parsed = new Map<string, { text: string; content: Readonly<JsonObject> | undefined }>();

  function find(id: string): Readonly<JsonObject> | undefined {
    const text = mirror.find(kind, id);
    if (text === undefined) return undefined;
    const known = parsed.get(id);
    if (known?.text === text) return known.content;
    const content = readContent(text);
    parsed.set(id, { text, content });
    return content;
  }

  const put = (id: string, content: JsonObject): Change => ({ kind, id, content: definitionText(content) });
  return {
    find,
    ids: () => mirror.ids(kind).filter((id) => find(id) !== undefined),
    get version() {
      return mirror.version(kind);
    },
    async put(id, content) {
      await mirror.change([put(id, content)]);
    },
    async putAll(contents) {
      await mirror.change([...contents].map(([id, content]) => put(id, content)));
    },
    create: (id, content) => mirror.change([{ ...put(id, content), expected: null }]),
    async delete(id) {
      await mirror.change([{ kind, id, content: null }]);
    },
    refresh: () => mirror.follow(),
    onChange: (listener) => mirror.onChange(kind, listener),
    broken: () => mirror.broken(kind),
    close: () => parsed.clear(),
  };
}

/** Files are written by hand too. */
function readContent(text: string): Readonly<JsonObject> | undefined {
  try {
    const content = parseLargeJson(Buffer.from(text));
    return isJsonObject(content) ? deepFreeze(content) : undefined;
  } catch {
    return undefined;
  }
}
