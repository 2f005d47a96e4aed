// Sentences about what people who register may do.

import { plural } from "#words/format.ts";

export const registration = {
  askTitle: "Let everybody who registers read this?",
  askText: "Everybody can register. New users would read what is closed, or drafts, in:",
  everyCollection: "every collection that is made later",
  confirm: "Let them read it",
  refused: (what: string) => `Nothing was saved: new users would read ${what}.`,
  more: (count: number) => plural(count, { one: "1 more", other: (n) => `${n} more` }),
  nothing: (groups: string, count: number) =>
    `New users are in the ${count === 1 ? "group" : "groups"} ${groups}, which may do nothing beyond what is public.`,
  something: (groups: string, count: number) =>
    `New users are in the ${count === 1 ? "group" : "groups"} ${groups}, which may do more than the public.`,
};
