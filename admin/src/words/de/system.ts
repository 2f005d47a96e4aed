// Sentences of the page about the system, in German.

import type { system as english } from "#words/en/system.ts";
import { plural } from "#words/format.ts";

export const system: typeof english = {
  title: "System",
  manage: "Verwalten",
  checkAgain: "Erneut prüfen",
  checks: "Prüfungen",
  allGood: "Alles, was geprüft wird, ist in Ordnung.",
  found: (count) =>
    plural(count, { one: "1 Punkt braucht Aufmerksamkeit.", other: (n) => `${n} Punkte brauchen Aufmerksamkeit.` }),
  levels: { good: "In Ordnung", warn: "Achtung", bad: "Problem" },
  cure: "Was zu tun ist",
  installation: "Diese Installation",
  version: "Version",
  edition: "Edition",
  node: "Node",
  engine: "Datenbank",
  engines: { sqlite: "SQLite", postgres: "PostgreSQL" },
  files: "Dateien",
  stores: { disk: "Auf der Platte des Servers", s3: "In einem S3-Bucket" },
  dataDir: "Datenverzeichnis",
  projectDir: "Projektverzeichnis",
  uptime: "Läuft seit",
  duration: {
    days: (count) => plural(count, { one: "1 Tag", other: (n) => `${n} Tagen` }),
    hours: (count) => plural(count, { one: "1 Stunde", other: (n) => `${n} Stunden` }),
    minutes: (count) => plural(count, { one: "1 Minute", other: (n) => `${n} Minuten` }),
  },
  lessThanAMinute: "weniger als einer Minute",
  disk: "Platte",
  free: (free, total) => `${free} von ${total} frei`,
  used: "Belegter Platz",
  content: "Inhalt",
  counts: {
    schemas: (count) => plural(count, { one: "1 Schema", other: (n) => `${n} Schemas` }),
    collections: (count) => plural(count, { one: "1 Sammlung", other: (n) => `${n} Sammlungen` }),
    objects: (count) => plural(count, { one: "1 Objekt", other: (n) => `${n} Objekte` }),
    keys: (count) => plural(count, { one: "1 API-Schlüssel", other: (n) => `${n} API-Schlüssel` }),
  },
  copyPath: (what) => `${what} kopieren`,
};
