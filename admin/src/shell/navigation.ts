// The entries of the sidebar, which the command palette shows too. An entry stands here when its page is built; the entries of
// single collections come from the start of the session.

import { House, Layers, type LucideIcon } from "lucide-react";
import type { Can } from "#session/start.ts";
import type { shell } from "#words/en/shell.ts";
import type { AdminPath } from "./paths.ts";

export type Group = "top" | "content" | "build" | "run" | "manage";

export interface Entry {
  id: string;
  group: Group;
  label: (words: typeof shell & { home: string }) => string;
  icon: LucideIcon;
  to: AdminPath;
  /** The letter after `g`. */
  key?: string;
  /** Whether the caller may open it; everybody may, unless set. */
  allowed?: (can: Can) => boolean;
}

export const groups: Exclude<Group, "top">[] = ["content", "build", "run", "manage"];

/**
 * In the order of the sidebar. Later pages, with their letters: Schemas (s), Templates, Pages, Data views, Prompts, Playground
 * in build; Automations (a), Webhooks, Mailer, Jobs in run; Users (u), Access groups and the rest in manage.
 */
const entries: Entry[] = [
  { id: "home", group: "top", label: (words) => words.home, icon: House, to: "/admin", key: "h" },
  {
    id: "collections",
    group: "content",
    label: (words) => words.collections,
    icon: Layers,
    to: "/admin/collections",
    key: "c",
  },
];

/** What the caller may open. */
export function entriesFor(can: Can): Entry[] {
  return entries.filter(({ allowed }) => allowed?.(can) ?? true);
}
