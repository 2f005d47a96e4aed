// Sentences of the pages of users, in German.

import type { users as english } from "#words/en/users.ts";
import { plural } from "#words/format.ts";

export const users: typeof english = {
  actAs: (name) => `Als ${name} handeln`,
  account: "Anmeldung",
  accountText: "Der Benutzer wählt über einen Link, der einmal gilt, ein neues Passwort.",
  noMail:
    "Von dieser Website kann noch keine Mail verschickt werden, also auch kein Link. Setzen Sie oben im Formular ein Passwort.",
  inactive: "Dieser Benutzer darf sich nicht anmelden, deshalb gibt es keinen Link.",
  sendReset: "Mail zum Zurücksetzen senden",
  resetSent: (email) => `Eine Mail mit einem Link ist unterwegs an ${email}`,
  sessions: "Sitzungen",
  sessionsText: "Browser, in denen dieser Benutzer angemeldet ist.",
  sessionsNone: "Dieser Benutzer ist nirgends angemeldet.",
  endAll: "Alle Sitzungen beenden",
  endAllTitle: (name) => `Alle Sitzungen von ${name} beenden?`,
  endAllText: "Jeder Browser dieses Benutzers muss sich neu anmelden. Was dort getippt ist, bleibt auf dem Gerät.",
  endAllOwnText: "Alle Ihre anderen Browser müssen sich neu anmelden. Dieser bleibt angemeldet.",
  ended: (count) => plural(count, { one: "1 Sitzung wurde beendet", other: (n) => `${n} Sitzungen wurden beendet` }),
  yourself: "Das ist Ihr eigenes Konto. Adresse und Passwort ändern Sie in Ihrem Profil.",
  profile: "Profil öffnen",
};
