// Sends doors as persons, and keeps what came of it: leaks, faults, what passed, and what each person got to see.

import { keptConnections } from "../support/kept-connections.ts";
import { type Door, leaks, maySee, send, shown } from "./door.ts";
import { unreachable } from "./own-writes.ts";
import type { Person } from "./persons.ts";
import type { Site } from "./site.ts";

const atOnce = 12;

export interface Round {
  /** One text for each secret that a person got and may not see. */
  leaks: string[];
  /** Answers of status 500 and above. */
  faults: string[];
  /** Operations, and operations with a query parameter, that have answered an administrator with 2xx or 3xx. */
  passed: Set<string>;
  /** The last refusal of an administrator, by the same names. */
  refused: Map<string, string>;
  /** The names of the secrets that each person got rightly. */
  got: Map<string, Set<string>>;
  requests: number;
}

export function newRound(): Round {
  return { leaks: [], faults: [], passed: new Set(), refused: new Map(), got: new Map(), requests: 0 };
}

type Made = Door | (() => Promise<Door>);

/** All doors as one person, many at a time. */
export async function visit(site: Site, round: Round, person: Person, doors: readonly Made[]): Promise<void> {
  const agent = keptConnections(atOnce);
  const queue = [...doors];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const door = typeof next === "function" ? await next() : next;
      note(site, round, person, door, await send(site.server, agent, door, person.headers));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  agent.destroy();
}

/** The operation, and the last query parameter, which is the one that is tried. */
export function namesOf({ operation, path }: Door): string[] {
  const parameter = path.split("?")[1]?.split("&").at(-1)?.split("=")[0];
  return parameter === undefined ? [operation] : [operation, `${operation} ?${parameter}`];
}

export function note(
  { secrets }: Site,
  round: Round,
  person: Person,
  door: Door,
  seen: Awaited<ReturnType<typeof send>>,
): void {
  round.requests += 1;
  round.leaks.push(...leaks(secrets, person, door, seen));
  if (seen.status >= 500 && !Object.hasOwn(unreachable, door.operation))
    round.faults.push(`${person.name}: ${door.method} ${door.path} is ${seen.status} ${seen.text.slice(-200)}`);
  const got = round.got.get(person.name) ?? new Set();
  round.got.set(person.name, got);
  for (const secret of shown(secrets, door, seen)) if (maySee(person, secret, door.surface)) got.add(secret.name);
  if (!person.isAdmin) return;
  for (const name of namesOf(door))
    if (seen.status < 400) round.passed.add(name);
    else
      round.refused.set(
        name,
        `${door.method} ${door.path} is ${seen.status} ${seen.text.split("\n").at(-1)?.slice(0, 200)}`,
      );
}
