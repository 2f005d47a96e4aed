// The change stream as each person: it is opened, the site is written to, and what has come by then is searched.

import { until } from "#base/patience.fixture.ts";
import { http } from "../harness.ts";
import type { Door } from "./door.ts";
import type { Person } from "./persons.ts";
import { note, type Round } from "./round.ts";
import { done, type Site } from "./site.ts";

interface Followed {
  person: Person;
  door: Door;
  status: number;
  text: string;
  isEnded: boolean;
  close(): void;
}

const queries = ["collections=notes&include=object", "collections=vault&include=object"];

function follow(site: Site, person: Person, query: string): Promise<Followed> {
  const path = `/api/changes/stream?${query}`;
  const door: Door = { operation: "GET /api/changes/stream", method: "GET", path };
  return new Promise((resolve, reject) => {
    const request = http.get(`${site.server.url}${path}`, { headers: person.headers }, (answer) => {
      const status = answer.statusCode ?? 0;
      const followed: Followed = { person, door, status, text: "", isEnded: false, close: () => request.destroy() };
      answer.setEncoding("latin1");
      answer.on("data", (text: string) => {
        followed.text += text;
      });
      const end = () => {
        followed.isEnded = true;
      };
      answer.on("end", end).on("error", end).on("close", end);
      resolve(followed);
    });
    request.on("error", reject);
  });
}

/** From the beginning of the log until a write of now has come, or the refusal is whole. */
export async function visitStreams(site: Site, round: Round, persons: readonly Person[]): Promise<void> {
  const followed = await Promise.all(persons.flatMap((person) => queries.map((query) => follow(site, person, query))));
  for (const [collection, id] of [
    ["notes", site.ids.draft],
    ["vault", site.ids.closed],
    // Everybody who follows the collection sees this one, and nothing that is written before it can come later.
    ["notes", "live"],
    ["vault", "friend"],
  ])
    await done(site.server, "PATCH", `/api/collections/${collection}/${id}`, { count: 99 });
  const last = (path: string) =>
    path.includes("vault") ? /"id":"friend"[^\n]*"count":99/ : /"id":"live"[^\n]*"count":99/;
  for (const one of followed) {
    const isWhole = () => one.isEnded || last(one.door.path).test(one.text);
    await until(
      async () => isWhole(),
      (is) => is,
    );
    one.close();
    note(site, round, one.person, one.door, { status: one.status, text: one.text, isImage: false });
  }
}
