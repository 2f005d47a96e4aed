// In whose name the database is asked, and requests are counted: a key, a user, the grant of a token; else the address.
// One caller never takes the place of another (lanes/lanes.ts).

import type { ServerResponse } from "node:http";
import { networkOf } from "#base/net/addresses.ts";
import { type Caller, service } from "#lanes/caller.ts";
import type { Actor } from "./actor.ts";

/** `address` is only asked for callers without credentials. */
export function callerName(actor: Actor | undefined, address: () => string | undefined = nowhere): string {
  if (actor?.kind === "token") return `token:${actor.grantId}`;
  if (actor && "id" in actor) return `${actor.kind}:${actor.id}`;
  if (actor?.kind === "system") return service.name;
  const from = address() ?? "";
  return `ip:${networkOf(from) ?? from}`;
}

/** What there is of a request, where a request is what calls. */
export interface CallerOf {
  address?: (() => string | undefined) | undefined;
  /** When it closes unanswered, the caller has gone. */
  response?: ServerResponse | undefined;
}

/** Makes names and signals on demand: answers from memory need neither. */
class ActorCaller implements Caller {
  readonly hasCredential: boolean;
  readonly #actor: Actor;
  readonly #of: CallerOf;
  #signal: AbortSignal | undefined;

  constructor(actor: Actor, of: CallerOf) {
    this.#actor = actor;
    this.#of = of;
    this.hasCredential = actor.kind !== "anonymous";
  }

  get name(): string {
    return callerName(this.#actor, this.#of.address ?? nowhere);
  }

  get signal(): AbortSignal | undefined {
    const { response } = this.#of;
    if (response) this.#signal ??= whenGone(response);
    return this.#signal;
  }
}

function nowhere(): undefined {
  return undefined;
}

export function callerOf(actor: Actor, of: CallerOf = {}): Caller {
  return actor.kind === "system" ? service : new ActorCaller(actor, of);
}

function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const look = () => {
    if (!response.writableFinished) gone.abort();
  };
  if (response.closed) look();
  else response.once("close", look);
  return gone.signal;
}
