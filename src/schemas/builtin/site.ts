// Schemas of the site beside its content: pages, data views, the sitemap card, setting presets, the scratchpad.

import type { SchemaRecord } from "#contract/schemas.ts";
import * as p from "./define.ts";

const frequencies = ["", "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];

const page = p.define("builder-page", {
  title: "Page",
  description: "Pages of the site, each with its route and template.",
  properties: {
    id: p.id("${title}"),
    title: p.text("Title", "The name of the page."),
    route: p.text("Route", "The path it answers, such as /about.", { default: "" }),
    template: p.select("Template", "Renders the page.", { default: "", settings: { propertyOptions: "pages" } }),
    description: p.textarea("Description", "For search engines."),
    image: p.image("Image", "For previews."),
    draft: p.toggle("Draft", "Hidden from the public while set.", { default: false }),
    nav: p.toggle("Navigation", "Listed in menus.", { default: true }),
    data: p.json("Data", "Values for the template.", { default: {} }),
    middleware: p.multicheckbox("Middleware", "Steps that run before the page.", {
      settings: { propertyOptions: "pageMiddleware" },
    }),
    accessGroups: p.list("Access groups", "Groups that may see the page; none means all visitors.", {
      settings: { accessGroupOptions: true, addChoices: false },
    }),
    status: p.numberSelect("Status", "The HTTP status it answers with.", {
      default: 200,
      options: ["200", "301", "302", "403", "404", "410", "451", "500", "503"],
    }),
    redirectTo: p.text("Redirect to", "The target of status 301 and 302.", { default: "" }),
    collection: p.select("Collection", "The page shows an object of this collection.", {
      default: "",
      settings: { propertyOptions: "collections" },
    }),
    lookup: p.text("Lookup", "The property by which the object is found.", { default: "id" }),
    parent: p.select("Parent", "The page above it in menus.", {
      default: "",
      settings: { relationalOptions: { collection: "builder-pages", label: "title", value: "id" } },
    }),
    order: p.number("Order", "Its place among the pages beside it.", { default: 0 }),
    navTitle: p.text("Title in menus", "A shorter title.", { default: "" }),
    noindex: p.toggle("No index", "Search engines leave it out.", { default: false }),
    canonical: p.text("Canonical address", "Where the same page is found; empty: its own address.", { default: "" }),
    cache: p.text("Cache", "auto, off, or for how many seconds the page is kept.", { default: "auto" }),
    head: p.json("Head", "Overrides of what the page says about itself to browsers and search engines.", {
      default: {},
    }),
    sitemap: p.toggle("Sitemap", "Listed in the sitemap.", { default: true }),
    changeFrequency: p.select("Change frequency", "A hint for the sitemap.", { default: "", options: frequencies }),
    priority: p.number("Priority", "A hint for the sitemap; 0 leaves it out.", {
      default: 0,
      minimum: 0,
      maximum: 1,
      settings: { min: 0, max: 1, step: 0.1 },
    }),
    updated: p.updated(),
    created: p.created(),
  },
  required: ["id", "title", "template", "updated", "created"],
  index: [
    "id",
    "title",
    "route",
    "template",
    "draft",
    "nav",
    "accessGroups",
    "status",
    "redirectTo",
    "collection",
    "lookup",
    "parent",
    "order",
    "navTitle",
    "noindex",
    "canonical",
    "sitemap",
    "changeFrequency",
    "priority",
    "updated",
    "created",
  ],
});

const dataView = p.define("dataviews", {
  title: "Data Views",
  description: "Stored results computed from collections.",
  properties: {
    id: p.id("${name}"),
    name: p.text("Name", "What the view is called."),
    description: p.textarea("Description", "What it shows."),
    dependencies: p.list("Dependencies", "Collections and views whose changes rebuild it.", {
      settings: { propertyOptions: "collectionsAndViews" },
    }),
    definition: p.code("Definition", "A module that returns the data.", { settings: { mode: "js" } }),
    mcp: p.json("MCP", "How agents may use the view."),
    lastBuilt: p.datetime("Last built", "When the data was made.", { settings: { readonly: true } }),
    lastError: p.hidden("Last error", "Why the last build failed."),
    updated: p.updated(),
  },
  required: ["id", "name", "definition"],
  index: ["id", "name", "dependencies", "updated"],
});

const playground = p.define("playground", {
  title: "Playground",
  description: "Snippets to try things out.",
  properties: {
    id: p.id("${name}-${uid}"),
    name: p.text("Name", "What the snippet is called."),
    category: p.text("Category", "Groups snippets."),
    snippet: p.code("Snippet", "The source text.", { settings: { mode: "liquid" } }),
  },
  required: ["id", "name", "snippet"],
  index: ["id", "name", "category", "snippet"],
});

const preset = p.define("preset-item", {
  title: "Preset",
  description: "Settings that fields can share by name.",
  properties: { id: p.id(), settings: p.json("Settings", "The settings of the field.") },
  required: ["id", "settings"],
  index: [],
});

const sitemapCard = p.define("sitemap-meta", {
  title: "Sitemap",
  description: "How a collection appears in the sitemap.",
  properties: {
    enabled: p.toggle("Enabled", "Whether it appears at all.", { default: false }),
    date: p.text("Date", "The property that holds the day of the last change.", { default: "updated" }),
    frequency: p.select("Frequency", "How often objects change.", { default: "", options: frequencies }),
    priority: p.number("Priority", "0 to 1; 0 leaves it out.", { default: 0, minimum: 0, maximum: 1 }),
    include: p.text("Include", "A filter: only these objects.", { default: "" }),
    exclude: p.text("Exclude", "A filter: not these objects.", { default: "" }),
  },
  required: [],
  index: [],
});

export const siteSchemas: SchemaRecord[] = [page, dataView, playground, preset, sitemapCard];
