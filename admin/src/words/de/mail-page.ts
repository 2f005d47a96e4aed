import type { mailPage as english } from "#words/en/mail-page.ts";

export const mailPage: typeof english = { title: "Mailer", newMail: "Neue Mail" };
