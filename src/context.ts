// The first argument of every operation: the app's parts, and the caller.

import type { Logger } from "pino";
import { type Actor, type Author, anonymous } from "./access/actor.ts";
import { callerOf } from "./access/callers.ts";
import type { BearerTokens } from "./access/credentials.ts";
import type { Limiter } from "./access/rate-limiter.ts";
import type { Clock } from "./base/clock.ts";
import type { Settings } from "./config/config.ts";
import type { ExtensionPort } from "./content/extension-port.ts";
import type { RuleRegistry } from "./content/write-rules.ts";
import type { Door } from "./contract/history.ts";
import type { Mirror } from "./definitions/mirror.ts";
import type { Definitions } from "./files/definition-files.ts";
import type { FileParts } from "./files/file-parts.ts";
import type { Jobs } from "./jobs/queue.ts";
import type { Cause, Reactions } from "./jobs/reactions.ts";
import type { Caller } from "./lanes/caller.ts";
import type { Outbox } from "./mail/outbox.ts";
import type { Storage } from "./storage/port.ts";

export interface App extends FileParts {
  settings: Settings;
  storage: Storage;
  /** Custom schemas: JSON files in `{data_dir}/.schemas/`. */
  schemaFiles: Definitions;
  /** Definitions that several nodes share; undefined where this data directory is the only one, and its files decide. */
  definitions: Mirror | undefined;
  /** What a write brings about, in its own transaction. */
  reactions: Reactions;
  /** Work that outlives a request, and the process. */
  jobs: Jobs;
  /** Rules for objects beyond their schema, by collection. */
  rules: RuleRegistry;
  /** What extensions add, and their functions. */
  extensions: ExtensionPort;
  /** Mail to be sent in the background. */
  mail: Outbox;
  /** Requests by the minute, of all doors. */
  limiter: Limiter;
  /** Access tokens of the OAuth server. */
  bearer: BearerTokens;
  clock: Clock;
  log: Logger;
}

export interface Context extends App {
  actor: Actor;
  /** The caller that database queries are counted for. */
  caller: Caller;
  /** The surface, where it decides: over MCP a collection shows what its card exposes. */
  surface?: "mcp" | undefined;
  /** Collections that no relation leads this caller to, whatever its rights are. */
  closed?: ReadonlySet<string> | undefined;
  /** The automation that calls. */
  cause?: Cause | undefined;
  /** The author of deferred work, where that is not the actor. */
  author?: Author | undefined;
  /** What the log keeps of writes, where more is known than the caller. */
  trail?: Trail | undefined;
  /** The origin of the call; left out where nothing is recorded: for the command line, and for plain reads. */
  origin?: Origin | undefined;
  /** Of a request over HTTP, which has waited for what other nodes wrote before it was sent. */
  isOfRequest?: true | undefined;
}

export interface Trail {
  /** The way by which the write came, where the caller does not say it. */
  door?: Door | undefined;
  /** Of an import, a sync, an undo: its changes can be found together. */
  run?: string | undefined;
  /** Why, in the caller's words. */
  note?: string | undefined;
  kind?: "restore" | "undo" | undefined;
  /** A deletion that keeps nothing. */
  isPurge?: boolean | undefined;
}

export interface Origin {
  address: string;
  requestId: string;
}

/** `caller`: where more is known than actor and origin. */
export function contextFor(app: App, actor: Actor, origin?: Origin, caller = callerFrom(actor, origin)): Context {
  return { ...app, actor, caller, origin };
}

/** For one app and many calls: copies of one shape cost a tenth of building it each time. */
export function contextMaker(app: App): (actor: Actor, origin: Origin | undefined, caller: Caller) => Context {
  const blank = contextFor(app, anonymous);
  return (actor, origin, caller) => {
    const ctx = { ...blank };
    ctx.actor = actor;
    ctx.caller = caller;
    ctx.origin = origin;
    ctx.isOfRequest = true;
    return ctx;
  };
}

function callerFrom(actor: Actor, origin: Origin | undefined): Caller {
  return callerOf(actor, { address: origin && (() => origin.address) });
}
