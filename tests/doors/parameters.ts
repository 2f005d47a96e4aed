// Values for the parameters of the document's operations, made from the site. An operation or a parameter that has none here fails
// the run by name: add the value, or say why there can be none.

import { common, type Site } from "./site.ts";

export type Values = Record<string, string>;

/** Objects, as collection and id. */
export function objectsOf({ ids }: Site): Values[] {
  const at = (collection: string, ...all: string[]) => all.map((id) => ({ collection, id }));
  return [...at("notes", "live", ids.draft), ...at("vault", ids.closed, ids.closedDraft)];
}

/** One of each of the other collections. */
function specialObjects(): Values[] {
  const pairs = { auth: "hermit", automations: "job", dataviews: "view", mailer: "letter", "builder-pages": "hidden" };
  const others = { board: "a", notes: "former", vault: "friend", "mcp-prompt": "prompt" };
  return Object.entries({ ...pairs, ...others }).map(([collection, id]) => ({ collection, id }));
}

const properties = ["title", "hidden", "pin", "parts", "map", "paper", "shot", "box", "friend"];
const times = (all: Values[], name: string, values: string[]): Values[] =>
  all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));

/** Files of the site: a property, and below a depot a path. */
function filesOf(site: Site): Values[] {
  const own = times(objectsOf(site), "property", ["paper", "shot", "box"]);
  const shared = [
    { collection: "notes", id: "locked", property: "paper" },
    { collection: "board", id: "a", property: "paper" },
  ];
  const inDecks = objectsOf(site).map((one) => ({ ...one, property: "parts", path: "a/scan" }));
  const inFolder = objectsOf(site).map((one) => ({ ...one, property: "box", path: "b.txt" }));
  return [...[...own, ...shared].map((file) => ({ ...file, path: "a.txt" })), ...inDecks, ...inFolder];
}

function picturesOf(site: Site): Values[] {
  return objectsOf(site).flatMap(({ collection, id }) =>
    ["shot.png", "shot", "album/g.png", "album/first", "album/random"].map((rest) => ({
      path: `${collection}/${id}/${rest}`,
    })),
  );
}

/** The name of the secret that a picture of this object shows. */
export function pictureAt({ ids }: Site, path: string): string | undefined {
  const name = { live: "live", [ids.draft]: "draft", [ids.closed]: "closed", [ids.closedDraft]: "closed draft" };
  const id = /^\/imageworks\/\w+\/(\w+)\//.exec(path)?.[1] ?? "";
  return Object.hasOwn(name, id) ? `${name[id]} picture` : undefined;
}

/** The first entry whose pattern fits gives the values; each is one request. */
const paths: [RegExp, (site: Site) => Values[]][] = [
  [/deck\/\{itemId\}/, (site) => objectsOf(site).map((one) => ({ ...one, property: "parts", itemId: "a" }))],
  [/\{property\}\/deck/, (site) => objectsOf(site).map((one) => ({ ...one, property: "parts" }))],
  [
    /^\/(download|stream)\/upload\//,
    (site) => objectsOf(site).map((one) => ({ ...one, property: "body", path: "ed.txt" })),
  ],
  [/^\/(download|stream)\//, filesOf],
  [/^\/imageworks\//, picturesOf],
  [/^\/api\/upload\//, (site) => objectsOf(site).map((one) => ({ ...one, property: "body", path: "ed.txt" }))],
  [/\{property\}\/downloads/, (site) => times(objectsOf(site), "property", ["paper", "box"])],
  [/\{collection\}.*\{id\}\/\{property\}/, (site) => times(objectsOf(site), "property", properties)],
  [
    /^\/api\/history\/.*\{change\}/,
    ({ changes }) => [
      ...changes.former.map((change) => ({ collection: "notes", id: "former", change })),
      ...changes.closedFormer.map((change) => ({ collection: "vault", id: "former", change })),
    ],
  ],
  [/^\/api\/history\//, (site) => [...objectsOf(site), ...specialObjects()]],
  [/^\/api\/(file-protection)/, filesOf],
  [/^\/api\/site-forms\/\{/, () => [{ collection: "vault", name: "contact" }]],
  [/^\/api\/users\//, () => [{ id: "hermit" }]],
  [/^\/api\/collections\/\{collection\}\/\{id\}/, (site) => [...objectsOf(site), ...specialObjects()]],
  [/^\/api\/snapshots|\/api\/options/, (site) => times(objectsOf(site).slice(0, 3), "source", ["values"])],
  [/^\/feed\/|^\/sitemap\/\{|^\/api\/report\//, () => [{ collection: "notes" }, { collection: "vault" }]],
  [
    /\{collection\}/,
    (site) => {
      const names = [...objectsOf(site), ...specialObjects()].map(({ collection }) => collection as string);
      return [...new Set(names)].map((collection) => ({ collection }));
    },
  ],
  [/^\/api\/schemas\/|^\/api\/export\/schemas\//, () => [{ id: "door" }, { id: "auth" }]],
  [/^\/api\/template/, () => [{ path: "pages/all" }, { path: "pages/one" }]],
  [/^\/api\/access-groups\//, () => [{ id: "readers" }]],
  [/^\/api\/settings\//, () => ["general", "smtp", "sync", "mcp", "auth"].map((section) => ({ section }))],
  [/^\/api\/automations\//, ({ records }) => [{ id: "job", run: records.run }]],
  [/^\/api\/jobs\//, ({ records }) => [{ id: records.job }]],
  [/^\/api\/mailer\//, ({ records }) => [{ id: "letter", mail: records.mail, batch: records.batch }]],
  [/^\/api\/webhooks\//, ({ records }) => [{ id: records.webhook, delivery: records.delivery }]],
  [/^\/api\/dataviews\//, () => [{ id: "view" }]],
  [/^\/api\/oauth-grants\//, ({ records }) => [{ id: records.grant }]],
  [/^\/api\/backups\//, ({ records }) => [{ name: records.backup }]],
  [/^\/api\/ext(ensions)?\//, () => [{ vendor: "none", name: "such", hash: "0", path: "a.js" }]],
  [/^[^{]*$/, () => [{}]],
];

/** Undefined: nothing here says how to call it. */
export function valuesFor(site: Site, path: string): Values[] | undefined {
  return paths.find(([pattern]) => pattern.test(path))?.[1](site);
}

/** Sent with every request of the operation. */
const always: Record<string, string> = {
  "GET /api/report/collections/{collection}/csv": "fields=id,title,hidden,body,tags,parts.text,parts.hidden,friend",
  "GET /api/report/collections/{collection}/json": "fields=id,title,hidden,body,map,parts,friend,paper",
  "GET /api/search": `q=${common}`,
  "GET /api/options/{source}": "collection={collection}&property=title",
  "GET /api/file-protection": "collection={collection}&id={id}&path={property}",
  "GET /api/snapshots": "kind=object&collection=mailer&id=old",
  "GET /api/site/resolve": "path=/notes/live",
  "GET /api/audit": "log=access&limit=100",
  "GET /imageworks/{path}": "w=4",
};
export const fixedQuery = (operation: string): string => always[operation] ?? "";

/** What each query parameter is tried with, one at a time. None: it only names one of what the operation shows anyway. */
const queries: Record<string, string[]> = {
  expand: ["friend,kin.friend,kin", "kin.kin.friend"],
  fields: ["title,hidden,parts,paper,shot", "body,map,tags", "pin"],
  filter: ['{"draft":true}', '{"or":[{"count":7},{"title":"x"}]}', '{"kin":"live"}'],
  search: [common],
  sort: ["hidden"],
  order: ["asc"],
  include: ["draft:true", "title,hidden", "pin"],
  exclude: ["title"],
  format: ["csv", "html"],
  template: ["query/rows"],
  as_of: ["{before}", "2099-01-01T00:00:00Z"],
  urls: ["absolute"],
  limit: ["100"],
  raw: ["true"],
  details: ["true"],
  diff: ["previous", "current"],
  draft: ["draft", "title"],
  title: ["hidden"],
  content: ["body"],
  folder: ["pages"],
  object: ["{object}"],
  kind: ["object", "schema", "collection"],
  status: ["queued"],
  objects: ["true"],
  schemas: ["door"],
  collections: ["notes", "vault", "notes,vault"],
  templates: ["true"],
  automations: ["job"],
  dataviews: ["view"],
  mailer: ["letter"],
  pages: ["all"],
  "mcp-prompts": ["prompt"],
  pwd: ["tansy-root-5"],
  path: ["a.txt", "/vault/{closed}"],
  log: ["oauth", "mcp"],
  user: ["hermit", "root"],
  collection: ["vault", "notes"],
  server: ["nginx"],
  after: [],
  since: ["2020-01-01T00:00:00Z"],
  until: ["2099-01-01T00:00:00Z"],
  property: ["title"],
  q: ["vault"],
  id: [],
  origin: [],
  client: [],
  type: [],
  file: [],
  version: [],
  subject: [],
  grant: [],
  key: [],
  writer: [],
  door: [],
  batch: [],
  schema: ["door"],
  // They shape the answer, and name nothing in it.
  ...Object.fromEntries(
    (
      "offset cursor page frequency priority language link image media author date name description domain public upstream " +
      "files htaccess w h fit quality blur brightness contrast gamma sharpen grayscale sepia dpr crop or flip pixel bg " +
      "border mark marktext p v"
    )
      .split(" ")
      .map((name) => [name, []]),
  ),
};

/** Where a parameter means something else, or cannot be combined. */
const own: Record<string, string[]> = {
  "GET /api/report/collections/{collection}/csv expand": [],
  "GET /download/{collection}/{id}/{property}/{path} path": ["sub"],
  "GET /download/upload/{collection}/{id}/{property}/{path} path": [],
  "GET /stream/{collection}/{id}/{property}/{path} path": ["sub"],
  "GET /stream/upload/{collection}/{id}/{property}/{path} path": [],
  "GET /imageworks/{path} format": ["webp"],
  "GET /api/schemas filter": ["custom"],
  "GET /sitemap/{collection} filter": [],
  "GET /api/snapshots file": ["{snapshot}"],
};

/** Undefined: nothing here says what to try. */
export function queriesFor(site: Site, operation: string, name: string): string[] | undefined {
  const { ids, before, records } = site;
  const fill: Values = { before, snapshot: records.snapshot, closed: ids.closed, object: ids.draft };
  return (own[`${operation} ${name}`] ?? queries[name])?.map((value) =>
    value.replace(/\{(\w+)\}/g, (whole, word) => fill[word] ?? whole),
  );
}
