// The few sentences that the page of a mail needs before anything of it is sent.

export const mailPage = { title: "Mailer", newMail: "New mail" };
