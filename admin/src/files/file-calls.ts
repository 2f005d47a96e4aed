// Calls of the server about stored files: their addresses, protection, links, and the changes of a depot.

import type { DepotChange, FileChoice, FileLink, FileProtection, FileProtectionChange } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import { type Answer, ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

/** A property of a stored object that holds files. */
export interface FilePlace {
  collection: string;
  object: string;
  /** Dotted: `file`, `card.file`, `deck.item-1.file`. */
  path: string;
}

export type StoredObject = Pick<Answer<JsonObject>, "data" | "etag">;

/** A file, folder or the property itself. `below`: its path in a depot. */
export function choiceOf({ collection, object, path }: FilePlace, below = ""): FileChoice {
  return { collection, id: object, path: [...path.split("."), ...(below === "" ? [] : [below])].join("/") };
}

/** `stream` is shown in place where that is harmless. */
export function fileAddress(door: "download" | "stream" | "imageworks", choice: FileChoice): string {
  const parts = [choice.collection, choice.id, ...choice.path.split("/")];
  return `/${door}/${parts.map(encodeURIComponent).join("/")}`;
}

export function protectionQuery(choice: FileChoice) {
  return {
    queryKey: ["file-protection", choice.collection, choice.id, choice.path],
    queryFn: () => askData<FileProtection>(routes.fileProtection, { query: { ...choice } }),
    // It may have changed since the dialog was last open.
    staleTime: 0,
  };
}

export function changeProtection(change: FileProtectionChange): Promise<StoredObject> {
  return ask<JsonObject>(routes.changeFileProtection, { body: change });
}

export function makeLink(choice: FileChoice, password: string, expires: string | undefined): Promise<FileLink> {
  return askData<FileLink>(routes.makeFileLink, { body: { ...choice, password, ...(expires && { expires }) } });
}

export interface Downloads {
  total: number;
  /** `path` begins with the property. */
  files: { path: string; count: number }[];
}

export function downloadsQuery({ collection, object, path }: FilePlace) {
  const [property = ""] = path.split(".");
  return {
    queryKey: ["downloads", collection, object, property],
    queryFn: () => askData<Downloads>(routes.downloads, { path: { collection, id: object, property } }),
  };
}

export function changeDepot(place: FilePlace, change: DepotChange): Promise<StoredObject> {
  return ask<JsonObject>(routes.changeDepot, { path: depotPath(place), body: change });
}

export function makeFolder(place: FilePlace, path: string): Promise<StoredObject> {
  return ask<JsonObject>(routes.makeFolder, { path: depotPath(place), body: { path } });
}

/** Download name, tags, comments of a file in a depot. */
export function patchDepotFile(
  place: FilePlace,
  { folder, name }: { folder: string; name: string },
  fields: JsonObject,
): Promise<StoredObject> {
  return ask<JsonObject>(routes.patchFileMeta, {
    path: { ...depotPath(place), name },
    query: { path: folder },
    body: fields,
  });
}

function depotPath({ collection, object, path }: FilePlace) {
  return { collection, id: object, property: path };
}
