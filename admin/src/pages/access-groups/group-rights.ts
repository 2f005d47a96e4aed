// What a group grants, as rows and ticks of a matrix, and what a change of them gives and takes. Pure.

import type { Permissions, ResourcePermission } from "@contract/access-groups.ts";
import { type Operation, operations } from "@contract/collections.ts";

export type Resource = "collections" | "collectionsMeta" | "schemas";
export type Switch = "builder" | "mailer" | "playground" | "dataviews" | "docs";

export const resources: readonly Resource[] = ["collections", "collectionsMeta", "schemas"];
const switches: readonly Switch[] = ["builder", "mailer", "playground", "dataviews", "docs"];
/** Utilities that the server knows; a group may name others. */
const utilities = ["cache", "image-batcher", "jumpstart", "project-setup"];

/** One row of the matrix. A switch or a utility is granted as a whole: its ticks go together. */
export type Thing =
  | { kind: "all" }
  | { kind: "resource"; name: Resource }
  | { kind: "switch"; name: Switch }
  | { kind: "utility"; name: string };

export function thingsOf({ utils }: Pick<Permissions, "utils">): Thing[] {
  const others = utils.allowed.filter((name) => !utilities.includes(name)).sort();
  return [
    { kind: "all" },
    ...resources.map((name): Thing => ({ kind: "resource", name })),
    ...switches.map((name): Thing => ({ kind: "switch", name })),
    ...[...utilities, ...others].map((name): Thing => ({ kind: "utility", name })),
  ];
}

/** The operations that make sense for it. */
export function ticksOf(thing: Thing): readonly Operation[] {
  return thing.kind === "switch" && thing.name === "docs" ? ["read"] : operations;
}

export function isTicked(granted: Permissions, thing: Thing, operation: Operation): boolean {
  switch (thing.kind) {
    case "all":
      return resources.every((name) => granted[name].operations.includes(operation));
    case "resource":
      return granted[thing.name].operations.includes(operation);
    case "switch":
      return granted[thing.name];
    default:
      return granted.utils.all || granted.utils.allowed.includes(thing.name);
  }
}

/** The parts that change. */
export function tick(
  granted: Permissions,
  thing: Thing,
  { operation, isOn }: { operation: Operation; isOn: boolean },
): Partial<Permissions> {
  const withOperation = (part: ResourcePermission): ResourcePermission => ({
    ...part,
    operations: operations.filter((one) => (one === operation ? isOn : part.operations.includes(one))),
  });
  switch (thing.kind) {
    case "all":
      return Object.fromEntries(resources.map((name) => [name, withOperation(granted[name])]));
    case "resource":
      return { [thing.name]: withOperation(granted[thing.name]) };
    case "switch":
      return { [thing.name]: isOn };
    default: {
      const { all, allowed } = granted.utils;
      const before = all ? [...new Set([...utilities, ...allowed])] : allowed;
      const others = before.filter((name) => name !== thing.name);
      return { utils: { all: false, allowed: isOn ? [...others, thing.name] : others } };
    }
  }
}

/** Rights on nothing: operations are ticked, and no item is chosen. */
export function reachesNothing({ operations: granted, all, allowed }: ResourcePermission): boolean {
  return granted.length > 0 && !all && allowed.length === 0;
}

export interface Names {
  operation: (operation: Operation) => string;
  thing: (thing: Thing) => string;
  /** "Create: Schemas". */
  right: (operation: string, thing: string) => string;
  /** "Collections: Blog". */
  item: (resource: Resource, id: string) => string;
  allItems: (resource: Resource) => string;
}

export interface Difference {
  lost: string[];
  gained: string[];
}

export function differenceOf(before: Permissions, after: Permissions, names: Names): Difference {
  const had = rightsIn(before, names);
  const has = rightsIn(after, names);
  return { lost: [...had].filter((right) => !has.has(right)), gained: [...has].filter((right) => !had.has(right)) };
}

/** Each right in words. Operations on no item, and items without an operation, are none. */
function rightsIn(granted: Permissions, names: Names): Set<string> {
  const rights: string[] = [];
  for (const name of resources) {
    const part = granted[name];
    if (part.operations.length === 0 || reachesNothing(part)) continue;
    const thing = names.thing({ kind: "resource", name });
    for (const operation of part.operations) rights.push(names.right(names.operation(operation), thing));
    if (part.all) rights.push(names.allItems(name));
    else for (const id of part.allowed) rights.push(names.item(name, id));
  }
  for (const thing of thingsOf(granted))
    if ((thing.kind === "switch" || thing.kind === "utility") && isTicked(granted, thing, "read"))
      rights.push(names.thing(thing));
  return new Set(rights);
}
