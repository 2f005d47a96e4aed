// The German of `en/undo.ts`.

import type { undo as en } from "#words/en/undo.ts";
import { plural } from "#words/format.ts";

export const undo: typeof en = {
  title: "Rückgängig machen",
  intro: (name) => `Was ${name} geschrieben hat, wird zurückgenommen. Was andere seitdem geändert haben, bleibt.`,
  since: "Seit",
  periods: {
    "": "Alles, was geschrieben wurde",
    PT1H: "Letzte Stunde",
    P1D: "Letzte 24 Stunden",
    P7D: "Letzte 7 Tage",
    P30D: "Letzte 30 Tage",
  },
  planning: "Geschriebenes wird gesucht…",
  plan: "Plan",
  object: "Objekt",
  action: "Was geschieht",
  actions: {
    revert: "Zurückgesetzt",
    delete: "Gelöscht, in den Papierkorb",
    restore: "Aus dem Papierkorb geholt",
    keep: "Bleibt, wie es ist",
  },
  properties: "Eigenschaften",
  conflict: "Konflikt",
  conflicts: {
    edited: "Andere haben es nach dem Anlegen geändert",
    taken: "Die Id gehört einem anderen Objekt",
    invalid: "Die alten Werte passen nicht zum Schema",
    lost: "Die alten Werte sind nicht mehr aufgehoben",
    missing: "Die Sammlung gibt es nicht mehr",
    forbidden: "Sie dürfen es nicht ändern",
  },
  statuses: {
    clean: "zurückgesetzt",
    superseded: "inzwischen von anderen geändert, bleibt",
    lost: "nicht mehr aufgehoben",
    conflict: "gehört zu einem Objekt, das andere geändert haben",
  },
  by: (who) => `geändert von ${who}`,
  force: (object) => `${object} trotzdem rückgängig machen`,
  details: (object) => `Eigenschaften von ${object}`,
  now: "Jetzt",
  afterUndo: "Danach",
  nothingTitle: "Nichts rückgängig zu machen",
  nothingText: "Im Verlauf steht nichts davon, oder alles wurde inzwischen geändert.",
  objects: (count) => plural(count, { one: "1 Objekt", other: (n) => `${n} Objekte` }),
  reverted: (count) => `${count} zurückgesetzt`,
  deleted: (count) => `${count} gelöscht`,
  restored: (count) => `${count} wiederhergestellt`,
  superseded: (count) =>
    plural(count, {
      one: "1 Eigenschaft bleibt: andere haben sie geändert",
      other: (n) => `${n} Eigenschaften bleiben: andere haben sie geändert`,
    }),
  conflictCount: (count) => plural(count, { one: "1 Konflikt", other: (n) => `${n} Konflikte` }),
  lost: (count) => `${count} mit Werten, die nicht mehr aufgehoben sind`,
  summary: "Zusammenfassung",
  andMore: (count) => plural(count, { one: "und 1 weiteres Objekt", other: (n) => `und ${n} weitere Objekte` }),
  more: "Mehr zeigen",
  apply: (count) =>
    plural(count, { one: "1 Änderung rückgängig machen", other: (n) => `${n} Änderungen rückgängig machen` }),
  moved: "Seit diesem Plan hat sich etwas geändert. Dies ist der neue Plan.",
  running: "Wird rückgängig gemacht",
  queued: "Wartet, bis es an der Reihe ist…",
  progress: (done, total) => `${done} von ${total}`,
  goesOn: "Es geht weiter, wenn Sie diesen Dialog schließen.",
  done: "Rückgängig gemacht",
  doneText:
    "Das Geschriebene wurde zurückgenommen. Das ist eine Änderung wie jede andere und lässt sich ebenso rückgängig machen.",
  failed: (reason) => `Es ließ sich nicht rückgängig machen: ${reason}`,
  movedObjects: (names) => `Inzwischen geändert und neu geplant: ${names}`,
  lostFiles: (files) => `Diese Dateien kommen nicht zurück: ${files}`,
  close: "Schließen",
};
