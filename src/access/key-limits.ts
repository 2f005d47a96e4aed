// What a key that does not open everything reaches, whichever door it comes by: the path that it was let in by does not
// say what an operation touches (agents, seeding, references). Users, code and the results of code take an endpoint that
// names them; keys, groups and whatever else makes an administrator take `*`.

import type { Operation } from "#contract/collections.ts";
import type { KeyScope } from "./key-scope.ts";
import type { Subject } from "./subject.ts";

/** An endpoint above these does not open them. */
export const guardedCollections: ReadonlySet<string> = new Set(["auth", "automations", "dataviews"]);

export interface KeyLimits {
  methods: ReadonlySet<string>;
  /** First segments of the endpoints. */
  doors: ReadonlySet<string>;
  /** All but the guarded ones. */
  reachesAll: boolean;
  /** Collections that an endpoint names. */
  named: ReadonlySet<string>;
  /** `""`: all extensions; else `{vendor}`, or `{vendor}/{name}`. */
  extensions: ReadonlySet<string>;
  /** Sees no drafts, and changes nothing but objects. */
  isPublished: boolean;
}

/** Undefined: there are none. */
export function limitsOf({ methods, grants, isPublished }: KeyScope): KeyLimits | undefined {
  const paths = grants.filter((grant) => grant !== "*");
  const isForAll = paths.length < grants.length;
  if (isForAll && !isPublished) return undefined;
  const reach = paths.map(reachOf);
  return {
    methods,
    doors: new Set(paths.map(([first = ""]) => first)),
    reachesAll: isForAll || reach.includes("all"),
    named: new Set(reach.flatMap((names) => (names === "all" ? [] : names)).concat(paths.some(isSync) ? synced : [])),
    extensions: new Set(paths.filter(isExtension).map(([, ...id]) => id.join("/"))),
    isPublished,
  };
}

/** Sync writes code by nature. */
const synced = ["automations", "dataviews"];

function isSync([first]: readonly string[]): boolean {
  return first === "sync";
}

/** Whole ones: an endpoint below opens one address, and nothing else that an extension adds. */
function isExtension(path: readonly string[]): boolean {
  return path[0] === "ext" && path.length <= 3;
}

/** The collections whose objects an endpoint is about. */
function reachOf([first = "", second, third]: readonly string[]): "all" | string[] {
  switch (first) {
    case "mcp":
    case "sync":
      return "all";
    case "collections":
    case "history":
    case "imageworks":
    case "upload":
      return oneOrAll(second);
    case "download":
    case "stream":
      return second === "upload" && third !== undefined ? [second, third] : oneOrAll(second);
    case "import":
    case "export":
    case "report":
      if (second === "collections") return oneOrAll(third);
      return second === undefined || second === "jumpstart" ? "all" : [];
    case "dataviews":
      return ["dataviews"];
    default:
      return [];
  }
}

function oneOrAll(name: string | undefined): "all" | string[] {
  return name === undefined ? "all" : [name];
}

/** Whether a key can do this to objects at all: agents do everything by POST. */
export function hasMethodFor({ methods, doors }: KeyLimits, operation: Operation): boolean {
  if (doors.has("mcp") || doors.has("sync")) return true;
  return methodsOf[operation].some((method) => methods.has(method));
}

/** Of requests about objects. */
export const methodsOf: Record<Operation, string[]> = {
  create: ["POST"],
  read: ["GET"],
  update: ["PUT", "PATCH"],
  delete: ["DELETE"],
};

export function isWithinLimits(limits: KeyLimits, operation: Operation, subject: Subject): boolean {
  const { doors, reachesAll, named, isPublished } = limits;
  const isOpen = (collection: string) => named.has(collection) || (reachesAll && !guardedCollections.has(collection));
  // Changing mailers is the right to send mail.
  const sendsMail = subject.kind === "objects" && subject.collection === "mailer" && operation !== "read";
  if (isPublished && sendsMail) return false;
  if (subject.kind === "objects") return isOpen(subject.collection);
  if (isPublished && operation !== "read") return false;
  switch (subject.kind) {
    case "collections":
      return subject.collection === undefined ? reachesAll || operation === "read" : isOpen(subject.collection);
    case "schemas":
    case "templates":
    case "util":
      return true;
    case "extension": {
      const [vendor = ""] = subject.extension.split("/", 1);
      return !isPublished && ["", vendor, subject.extension].some((id) => limits.extensions.has(id));
    }
    case "extensions":
    case "metrics":
      return !isPublished;
    case "settings":
    case "sync":
      return !isPublished && doors.has(subject.kind);
    case "runs":
      return !isPublished && doors.has("automations-admin");
    default:
      return false;
  }
}
