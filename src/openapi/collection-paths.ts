// The routes of objects once more for each collection, with its own types, so that generated clients are typed.

import type { JsonObject } from "#contract/json.ts";
import { type DocumentedRoute, expandable, listOf, type RouteDoc, ref, wrapped } from "./route-doc.ts";
import type { TypedCollection } from "./typed-collections.ts";

export interface CollectionRoute extends DocumentedRoute {
  operationId: string;
}

const list = "/api/collections/{collection}";
const one = `${list}/{id}`;
const verbs: Record<string, string> = {
  [`get ${list}`]: "list",
  [`post ${list}`]: "create",
  [`get ${one}`]: "get",
  [`put ${one}`]: "replace",
  [`patch ${one}`]: "patch",
  [`delete ${one}`]: "delete",
};

/** `ids`: of other operations. */
export function collectionRoutes(
  collections: readonly TypedCollection[],
  routes: readonly DocumentedRoute[],
  ids: Iterable<string>,
): CollectionRoute[] {
  const taken = new Set(ids);
  const free = (name: string): string => {
    let id = name;
    for (let n = 2; taken.has(id); n += 1) id = `${name}${n}`;
    taken.add(id);
    return id;
  };
  return collections.flatMap((collection) =>
    routes.flatMap(({ method, path, doc }) => {
      const verb = verbs[`${method} ${path}`];
      if (verb === undefined) return [];
      return {
        method,
        path: path.replace("{collection}", collection.id),
        operationId: free(verb + inCapitals(collection.id)),
        doc: typed(verb, doc, collection),
      };
    }),
  );
}

function answerOf(verb: string, object: JsonObject): JsonObject {
  if (verb === "list") return expandable(listOf(object));
  return verb === "get" ? expandable(object) : wrapped(object);
}

/** As one word: `my_news-2` is `MyNews2`. */
export function inCapitals(id: string): string {
  return id
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function typed(verb: string, doc: RouteDoc, { id, schema }: TypedCollection): RouteDoc {
  const object = ref(schema.id);
  const bodies: Record<string, JsonObject> = {
    create: ref(`${schema.id}.input`),
    replace: ref(`${schema.id}.input`),
    patch: ref(`${schema.id}.change`),
  };
  const body = bodies[verb];
  return {
    ...doc,
    tag: id,
    ...(body && { body }),
    ...(doc.answer && { answer: answerOf(verb, object) }),
  };
}
