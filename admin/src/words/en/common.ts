// Sentences that every page needs.

import { plural } from "#words/format.ts";

export const common = {
  save: "Save",
  cancel: "Cancel",
  close: "Close",
  delete: "Delete",
  tryAgain: "Try again",
  loading: "Loading…",
  copy: "Copy",
  copied: "Copied",
  done: "Done",
  yes: "Yes",
  no: "No",
  none: "None",
  home: "Home",
  search: "Search",
  notFoundTitle: "Page not found",
  notFoundText: "There is nothing at this address. Search for it, or go back to the start.",
  forbiddenTitle: "You may not see this page",
  forbiddenText: "Ask an administrator for the right to open it.",
  failedTitle: "This could not be loaded",
  noStartTitle: "The admin cannot be started",
  brokenTitle: "This page has stopped working",
  brokenText: "The rest of the admin still works. Load the page again; if it happens again, report it.",
  unreachable: "The server cannot be reached. Check your connection, then try again.",
  unexpected: "Something unexpected happened. Try again; if it happens again, report it.",
  breadcrumbs: "Breadcrumbs",
  requestId: (id: string) => `Request ${id}`,
  objects: (count: number) => plural(count, { one: "1 object", other: (n) => `${n} objects` }),
};
