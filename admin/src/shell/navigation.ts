// The entries of the sidebar, which the command palette shows too. An entry stands here when its page is built; the entries of
// single collections come from the start of the session.

import type { AdminCollection, AdminExtensions, Attention, ExtensionPage } from "@contract/admin.ts";
import {
  AppWindow,
  Archive,
  ArrowLeftRight,
  Bot,
  ChartNoAxesColumn,
  DatabaseZap,
  FileCode,
  FlaskConical,
  Globe,
  Handshake,
  House,
  KeyRound,
  Layers,
  ListChecks,
  type LucideIcon,
  Mail,
  Map as MapIcon,
  MessageSquareText,
  Package,
  PanelsTopLeft,
  Puzzle,
  ScrollText,
  Server,
  Settings,
  Shapes,
  Trash2,
  Users,
  UsersRound,
  Webhook,
  Workflow,
} from "lucide-react";
import type { Can } from "#session/start.ts";
import type { common } from "#words/en/common.ts";
import type { shell } from "#words/en/shell.ts";
import type { Target } from "./links.tsx";

export type Group = "top" | "content" | "build" | "run" | "manage";

export interface Entry extends Target {
  id: string;
  group: Group;
  label: (words: typeof shell & typeof common) => string;
  icon: LucideIcon;
  /** The letter after `g`. */
  key?: string;
  /** Whether the caller may open it; everybody may, unless set. */
  allowed?: (can: Can) => boolean;
  /** The built-in collection whose table it is: without it there for callers that may make it, whom its page offers that. */
  collection?: string;
  /** Whether there is anything that it is for; always, unless set. */
  isOffered?: (known: Known) => boolean;
  /** It is the current one at its own address alone: there are entries below it. */
  isExact?: boolean;
  /** How many of its things have failed. */
  attention?: (attention: Attention) => number | undefined;
}

export const groups: Exclude<Group, "top">[] = ["content", "build", "run", "manage"];

/** In the order of the sidebar. */
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
  {
    id: "schemas",
    group: "build",
    label: (words) => words.schemas,
    icon: Shapes,
    to: "/admin/schemas",
    key: "s",
    allowed: (can) => can("read", "schemas"),
  },
  {
    ...{ id: "templates", group: "build", icon: FileCode, to: "/admin/templates" },
    ...{ label: (words) => words.templates, allowed: (can) => can("read", "builder") },
  },
  tableEntry("pages", "builder-pages", PanelsTopLeft),
  {
    ...{ id: "site", group: "build", icon: Globe, to: "/admin/site" },
    ...{ label: (words) => words.site, allowed: (can) => can("read", "builder") },
    attention: ({ siteErrors }) => siteErrors,
  },
  {
    ...{ id: "dataviews", group: "build", icon: ChartNoAxesColumn, to: "/admin/dataviews" },
    ...{ label: (words) => words.dataViews, allowed: (can) => can("read", "dataviews") },
  },
  tableEntry("prompts", "mcp-prompt", MessageSquareText),
  {
    ...{ id: "playground", group: "build", icon: FlaskConical, to: "/admin/playground" },
    ...{ label: (words) => words.playground, allowed: (can) => can("read", "playground") },
  },
  {
    id: "automations",
    group: "run",
    label: (words) => words.automations,
    icon: Workflow,
    to: "/admin/automations",
    key: "a",
    allowed: (can) => can("read", "admin"),
    attention: ({ disabledAutomations }) => disabledAutomations,
  },
  {
    id: "webhooks",
    group: "run",
    label: (words) => words.webhooks,
    icon: Webhook,
    to: "/admin/webhooks",
    allowed: (can) => can("read", "admin"),
    attention: ({ failedDeliveries }) => failedDeliveries,
  },
  {
    id: "mailer",
    group: "run",
    label: (words) => words.mailer,
    icon: Mail,
    to: "/admin/mailer",
    allowed: (can) => can("read", { objects: "mailer" }),
  },
  {
    id: "jobs",
    group: "run",
    label: (words) => words.jobs,
    icon: ListChecks,
    to: "/admin/jobs",
    allowed: (can) => can("read", "admin"),
    attention: ({ failedJobs }) => failedJobs,
  },
  { ...utility("users", "/admin/users", Users), key: "u" },
  utility("accessGroups", "/admin/utils/access-groups", UsersRound),
  utility("apiKeys", "/admin/utils/api-keys", KeyRound),
  utility("oauthClients", "/admin/utils/oauth-clients", AppWindow),
  utility("oauthGrants", "/admin/utils/oauth-grants", Handshake),
  utility("sync", "/admin/utils/sync", ArrowLeftRight),
  {
    ...utility("jumpstart", "/admin/utils/jumpstart", Package),
    allowed: (can) => can("read", { util: "jumpstart" }),
  },
  utility("backups", "/admin/utils/backups", Archive),
  {
    ...utility("trash", "/admin/utils/trash", Trash2),
    ...{ allowed: () => true, isOffered: ({ collections }) => hasTrash(collections) },
  },
  utility("logs", "/admin/utils/logs", ScrollText),
  {
    ...utility("cache", "/admin/utils/cache", DatabaseZap),
    allowed: (can) => can("delete", { util: "cache" }),
  },
  {
    ...utility("extensions", "/admin/extensions", Puzzle),
    attention: ({ stoppedExtensions }) => stoppedExtensions,
  },
  utility("mcp", "/admin/utils/mcp", Bot),
  utility("systemState", "/admin/utils/system", Server),
  utility("settings", "/admin/settings", Settings),
];

type Utility =
  | "users"
  | "accessGroups"
  | "apiKeys"
  | "oauthClients"
  | "oauthGrants"
  | "sync"
  | "jumpstart"
  | "backups"
  | "trash"
  | "logs"
  | "cache"
  | "mcp"
  | "extensions"
  | "systemState"
  | "settings";

/** An entry of Manage that is for administrators. */
function utility(id: Utility, to: Target["to"], icon: LucideIcon): Entry {
  return { id, group: "manage", label: (words) => words[id], icon, to, allowed: (can) => can("read", "admin") };
}

/** An entry of Build that is the table of a built-in collection. */
function tableEntry(id: "pages" | "prompts", collection: string, icon: LucideIcon): Entry {
  const to = "/admin/collections/$collection";
  return { id, group: "build", label: (words) => words[id], icon, to, params: { collection }, collection };
}

interface Known {
  collections: readonly AdminCollection[];
  extensions: Pick<AdminExtensions, "pages">;
}

/** The caller may list and restore what was deleted in one of them. */
export function hasTrash(collections: readonly AdminCollection[]): boolean {
  return collections.some(
    ({ history, operations }) => history === "full" && operations.includes("create") && operations.includes("delete"),
  );
}

/** What the caller may open. */
export function entriesFor(can: Can, known: Known): Entry[] {
  const { collections, extensions } = known;
  const own = entries.filter(
    ({ allowed, collection, isOffered }) =>
      (allowed?.(can) ?? true) &&
      (isOffered?.(known) ?? true) &&
      (collection === undefined || collections.some(({ id }) => id === collection) || can("create", "collections")),
  );
  return [...own, ...extensions.pages.map((page) => pageEntry(page, extensions.pages))];
}

/** Names that manifests may use; a page with another one gets a piece of a puzzle. */
const icons: Record<string, LucideIcon> = {
  ...{
    archive: Archive,
    bot: Bot,
    chart: ChartNoAxesColumn,
    code: FileCode,
    globe: Globe,
    key: KeyRound,
    list: ListChecks,
  },
  ...{ layers: Layers, mail: Mail, map: MapIcon, message: MessageSquareText, package: Package, server: Server },
  ...{ settings: Settings, shapes: Shapes, users: Users, workflow: Workflow },
};

/** A page of an extension, in the group that its manifest names. */
function pageEntry(page: ExtensionPage, all: readonly ExtensionPage[]): Entry {
  const { extension, name, title, path, icon, nav } = page;
  const [vendor = "", own = ""] = extension.split("/");
  const hasBelow = path === "" && all.some((other) => other.extension === extension && other.path !== "");
  return {
    id: `ext ${extension} ${name}`,
    group: nav,
    label: () => title,
    icon: icons[icon ?? ""] ?? Puzzle,
    ...(path === ""
      ? { to: "/admin/ext/$vendor/$name", params: { vendor, name: own } }
      : { to: "/admin/ext/$vendor/$name/$", params: { vendor, name: own, _splat: path } }),
    isExact: hasBelow,
  };
}

/** The address of an entry. */
export function pathOf({ to, params = {} }: Target): string {
  return to.replace(/\$(\w*)/g, (_, name: string) =>
    name === "" ? (params._splat ?? "") : encodeURIComponent(params[name] ?? ""),
  );
}
