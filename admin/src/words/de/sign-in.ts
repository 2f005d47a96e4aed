// The German of `en/sign-in.ts`.

import type { signIn as en } from "#words/en/sign-in.ts";
import { plural } from "#words/format.ts";

export const signIn: typeof en = {
  title: "Anmelden",
  signIn: "Anmelden",
  email: "E-Mail",
  password: "Passwort",
  stay: "Angemeldet bleiben",
  byPasskey: "Mit einem Passkey anmelden",
  forgot: "Passwort vergessen?",
  or: "oder",
  failed: "Das hat nicht geklappt. Prüfen Sie die E-Mail-Adresse und das Passwort.",
  passkeyFailed: "Kein Passkey wurde benutzt. Versuchen Sie es noch einmal, oder nehmen Sie Ihr Passwort.",
  emailMissing: "Geben Sie Ihre E-Mail-Adresse ein.",
  passwordMissing: "Geben Sie Ihr Passwort ein.",
  tooMany: "Zu viele Versuche. Warten Sie einen Moment.",
  waitFor: (seconds: number) =>
    plural(seconds, { one: "Wieder möglich in 1 Sekunde", other: (n) => `Wieder möglich in ${n} Sekunden` }),
  again: "Erneut anmelden",
  againText: (email: string) =>
    `Ihre Sitzung als ${email} ist beendet. Was Sie geschrieben haben, ist noch da; es geht dort weiter, wo es aufgehört hat.`,
};
