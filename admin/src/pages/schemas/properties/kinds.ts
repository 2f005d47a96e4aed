// The field kinds in groups, in the order in which they are offered: where one name holds another, the shorter one is first. Pure.

import type { fieldKinds } from "@contract/schemas.ts";

export type Kind = (typeof fieldKinds)[number];
export type KindGroup = "text" | "number" | "date" | "choice" | "file" | "structure" | "language" | "special";

export const kindGroups: Readonly<Record<KindGroup, readonly Kind[]>> = {
  text: ["text", "textarea", "styledtext", "email", "url", "phone", "code", "json", "svg"],
  number: ["number", "price", "range", "rating"],
  date: ["time", "date", "datetime"],
  choice: ["checkbox", "toggle", "select", "radio", "list", "multiselect", "multicheckbox", "checklist"],
  file: ["image", "gallery", "file", "depot"],
  structure: ["card", "deck", "deckTable"],
  language: ["localizedtext", "localizedtextarea", "localizedstyledtext"],
  special: ["id", "color", "password", "secret", "hidden"],
};

/** As it is shown: "Datetime". */
export function kindLabel(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
