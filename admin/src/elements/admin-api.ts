// What an element of an extension may ask of the admin (version 1). Its questions are drawn by ElementQuestions.

import type { AdminStart } from "@contract/admin.ts";
import { type Operation, operations } from "@contract/collections.ts";
import type { Json } from "@contract/json.ts";
import { askUpload, fetchPath } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { queryClient } from "#session/query-client.ts";
import { toast } from "#ui/toast.ts";
import { currentLanguage, onLanguage } from "#words/language.ts";

export interface AdminFacts {
  api: 1;
  user: { id: string; name: string; groups: string[] };
  locale: string;
  theme: "light" | "dark";
  density: string;
}

export interface AdminApi extends AdminFacts {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  can(operation: string, subject: string): boolean;
  navigate(path: string): void;
  openObject(collection: string, id: string): void;
  pick(what: { collection: string; multiple?: boolean }): Promise<string[] | null>;
  upload(what: { target: string; file: File }): Promise<Json>;
  toast(text: string, tone?: "good" | "bad"): void;
  confirm(question: { title: string; text: string; danger?: boolean }): Promise<boolean>;
  subscribe(what: "theme" | "locale" | "object", listener: () => void): () => void;
  styles(): Promise<CSSStyleSheet>;
}

/** Operations by collection, or by another thing that rights are about; `*` for those that do everything. */
export type RightsTable = Record<string, readonly string[]>;

export function rightsTable({ can, collections }: Pick<AdminStart, "can" | "collections">): RightsTable {
  const switches = (["builder", "mailer", "playground", "dataviews", "docs"] as const).filter((name) => can[name]);
  return {
    ...Object.fromEntries(collections.map(({ id, operations: own }): [string, Operation[]] => [id, own])),
    collections: can.collectionsMeta,
    schemas: can.schemas,
    ...Object.fromEntries(switches.map((name) => [name, [...operations]])),
    ...(can.admin && { "*": [...operations] }),
  };
}

export type Question =
  | { kind: "confirm"; title: string; text: string; danger: boolean; answer: (isYes: boolean) => void }
  | { kind: "pick"; collection: string; multiple: boolean; answer: (ids: string[] | null) => void };

export function factsOf({ user }: Pick<AdminStart, "user">): AdminFacts {
  const { theme = "light", density = "comfortable" } = document.documentElement.dataset;
  return {
    api: 1,
    user: { id: user.id, name: user.name || user.email, groups: [...user.groups] },
    locale: currentLanguage(),
    theme: theme === "dark" ? "dark" : "light",
    density,
  };
}

interface Around {
  /** Opens a page of the admin. */
  go: (path: string) => void;
  /** Asks the person who looks at the page. */
  ask: (question: Question) => void;
}

export function createAdminApi(start: AdminStart, { go, ask }: Around): AdminApi {
  const rights = rightsTable(start);
  const { api, user } = factsOf(start);
  return {
    ...{ api, user },
    // As they are when they are read.
    get locale() {
      return factsOf(start).locale;
    },
    get theme() {
      return factsOf(start).theme;
    },
    get density() {
      return factsOf(start).density;
    },
    async fetch(path, init) {
      if (!isApiPath(path)) throw new TypeError("cairn.fetch asks addresses below /api/ alone.");
      return fetchPath(path, init);
    },
    can: (operation, subject) => (rights[subject] ?? rights["*"] ?? []).includes(operation),
    navigate(path) {
      if (!/^\/admin(\/|\?|$)/.test(path)) throw new TypeError("cairn.navigate opens addresses below /admin alone.");
      go(path);
    },
    openObject: (collection, id) =>
      go(`/admin/collections/${encodeURIComponent(collection)}/${encodeURIComponent(id)}`),
    pick: ({ collection, multiple = false }) =>
      new Promise((answer) => ask({ kind: "pick", collection: String(collection), multiple, answer })),
    async upload({ target, file }) {
      const [collection = "", id = "", property = ""] = target.split("/").map(decodeURIComponent);
      const form = new FormData();
      form.append("file", file);
      const { data } = await askUpload<Json>(routes.uploadFile, { path: { collection, id, property }, form });
      return data;
    },
    toast: (text, tone = "good") => toast[tone === "bad" ? "bad" : "good"](String(text).slice(0, 500)),
    confirm: ({ title, text, danger = false }) =>
      new Promise((answer) => ask({ kind: "confirm", title: String(title), text: String(text), danger, answer })),
    subscribe,
    styles: async () => (await import("./ui-sheet.ts")).uiSheet(),
  };
}

export function isApiPath(path: string): boolean {
  const url = URL.parse(path, location.origin);
  return url !== null && url.origin === location.origin && url.pathname.startsWith("/api/");
}

/** `object`: objects were changed by this page, or asked for again. */
export function subscribe(what: "theme" | "locale" | "object", listener: () => void): () => void {
  if (what === "locale") return onLanguage(listener);
  if (what === "object")
    return queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === "updated" && query.queryKey[0] === "objects") listener();
    });
  const watch = new MutationObserver(listener);
  watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => watch.disconnect();
}
