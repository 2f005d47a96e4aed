// Sentences about what people who register may do, in German.

import type { registration as english } from "#words/en/registration.ts";
import { plural } from "#words/format.ts";

export const registration: typeof english = {
  askTitle: "Dürfen das alle lesen, die sich registrieren?",
  askText: "Jeder kann sich registrieren. Neue Benutzer würden Geschlossenes oder Entwürfe lesen, in:",
  everyCollection: "jeder Sammlung, die später dazukommt",
  confirm: "Lesen lassen",
  refused: (what) => `Nichts wurde gespeichert: Neue Benutzer würden ${what} lesen.`,
  more: (count) => plural(count, { one: "1 weitere", other: (n) => `${n} weitere` }),
  nothing: (groups, count) =>
    count === 1
      ? `Neue Benutzer sind in der Gruppe ${groups}, die nicht mehr darf als die Öffentlichkeit.`
      : `Neue Benutzer sind in den Gruppen ${groups}, die nicht mehr dürfen als die Öffentlichkeit.`,
  something: (groups, count) =>
    count === 1
      ? `Neue Benutzer sind in der Gruppe ${groups}, die mehr darf als die Öffentlichkeit.`
      : `Neue Benutzer sind in den Gruppen ${groups}, die mehr dürfen als die Öffentlichkeit.`,
};
