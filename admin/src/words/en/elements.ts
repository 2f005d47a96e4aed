// Sentences around parts of the admin that extensions draw.

export const elements = {
  failedTitle: (title: string) => `${title} could not be shown`,
  failedText: (extension: string) => `A part of the extension ${extension} has failed. The rest of the admin works.`,
  tryAgain: "Try again",
  hideForMe: "Disable for me",
  hidden: (extension: string) => `You have disabled this page of the extension ${extension} for yourself.`,
  showAgain: "Enable for me",
  fieldFailed: (extension: string) =>
    `The field of the extension ${extension} could not be loaded. You edit the plain value.`,
  fieldGone: (extension: string) =>
    `This field belongs to the extension ${extension}, which is not on. You edit the plain value.`,
  fieldPlain: (extension: string) => `A field of the extension ${extension}.`,
  pick: "Choose an object",
  pickSeveral: "Choose objects",
  object: "Object",
  objects: "Objects",
  choose: "Choose",
  confirm: "Confirm",
  loading: "Loading…",
  notJson: "Must be JSON",
  page: "Page",
};
