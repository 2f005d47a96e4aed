// Sentences of the pages of users.

import { plural } from "#words/format.ts";

export const users = {
  actAs: (name: string) => `Act as ${name}`,
  account: "Signing in",
  accountText: "The user chooses a new password by a link that works once.",
  noMail: "No mail can be sent from this site yet, so there is no reset mail. Set a password in the form above.",
  inactive: "This user may not sign in, so there is no reset mail.",
  sendReset: "Send reset mail",
  resetSent: (email: string) => `A mail with a link is on its way to ${email}`,
  sessions: "Sessions",
  sessionsText: "Browsers in which this user is signed in.",
  sessionsNone: "This user is not signed in anywhere.",
  endAll: "End all sessions",
  endAllTitle: (name: string) => `End all sessions of ${name}?`,
  endAllText: "Every browser of this user has to sign in again. What is typed there stays on the device.",
  endAllOwnText: "All your other browsers have to sign in again. This one stays signed in.",
  ended: (count: number) => plural(count, { one: "1 session was ended", other: (n) => `${n} sessions were ended` }),
  yourself: "This is your own account. Your address and password are changed in your profile.",
  profile: "Open profile",
};
