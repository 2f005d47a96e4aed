// The pages of the admin: address, heading, names by role in the main part. tests/admin/pages*.test.ts visit each of them once;
// changing a name is a breaking change (docs/spec/admin.md, "Names"). A page of an object stands behind the list that leads to it.

import type { Names } from "./names.ts";

export interface AdminPage {
  /** Below /admin. */
  path: string;
  /** The heading in English, with which the title of the window begins. */
  name: string;
  /** In the main part of the page. */
  names?: Names;
  /** Buttons that open a dialog. */
  dialogs?: readonly string[];
  /** Many controls: longer words can cover one, or push it out of reach. */
  isCrowded?: boolean;
}

/** Content and its model. */
export const contentPages: readonly AdminPage[] = [
  { path: "", name: "Home", names: { region: ["Needs attention", "Recently changed", "This site"] } },
  { path: "/collections", name: "Collections", names: { link: ["Blog", "Plain", "New collection"] } },
  {
    path: "/collections/-new",
    name: "New collection",
    names: {
      textbox: ["Id", "Name", "Singular", "Plural"],
      combobox: "Schema",
      label: "Category",
      button: "Create collection",
    },
  },
  { path: "/collections/events", name: "Events", dialogs: ["Add filter", "Columns"], isCrowded: true },
  { path: "/collections/events?layout=cards", name: "Events" },
  { path: "/collections/events/-new", name: "New event" },
  { path: "/collections/events/e1", name: "Event one", isCrowded: true },
  { path: "/collections/events/e1?tab=json", name: "Event one" },
  { path: "/collections/events/e1?tab=versions", name: "Event one" },
  ...["address", "access", "form", "sitemap", "mcp"].map((tab) => ({
    path: `/collections/events/-settings?tab=${tab}`,
    name: "Settings of Events",
    isCrowded: tab === "access",
  })),
  { path: "/collections/events/-settings?tab=danger", name: "Settings of Events", dialogs: ["Delete collection"] },
  {
    path: "/collections/blog",
    name: "Blog",
    names: {
      grid: "Blog",
      searchbox: "Search",
      link: ["New Post", "Post 1"],
      button: ["Add filter", "Columns", "Views", "Actions for Post 1"],
      radiogroup: "Layout",
      radio: ["Table", "Cards"],
      checkbox: ["Select Post 1", "Select all loaded"],
      columnheader: "Title",
      row: "Post 1",
    },
  },
  { path: "/collections/blog/-new", name: "New Post" },
  {
    path: "/collections/blog/p1",
    name: "Post 1",
    names: {
      toolbar: "Body formatting",
      combobox: "Tags",
      grid: ["Stops", "Pictures", "Papers files"],
      group: ["Cover", "Paper", "Day"],
      button: [
        ...["Add item to Stops", "Edit Hut", "Actions for Hut", "Upload Cover", "Upload Pictures", "Upload Paper"],
        ...["Upload Papers", "Edit hill.jpg", "Choose Tint", "Show Token", "New folder in Papers"],
      ],
      textbox: ["Price", "Cover alt text", "Tint", "Volume value", "Code"],
      slider: "Volume",
      tablist: "Slogan languages",
      label: ["Pin", "Confirm Pin", "Token"],
    },
  },
  {
    path: "/collections/blog/p2",
    name: "Post 2",
    names: {
      button: ["Save", "More ways to save", "More actions"],
      status: "Save state",
      tab: ["Form", "JSON", "Versions"],
      textbox: ["Title", "Author", "Body", "Code"],
      checkbox: "Draft",
      group: ["Day", "Cover", "Paper"],
      label: "Token",
    },
  },
  {
    path: "/collections/blog/-settings",
    name: "Settings of Blog",
    names: { tab: ["General", "Address", "Access", "Form", "Sitemap", "MCP", "Danger"], button: "Save" },
  },
  {
    path: "/collections/blog/-import",
    name: "Import into Blog",
    names: { button: ["Choose file", "Try it", "Import"], checkbox: "Change existing objects" },
  },
  {
    path: "/collections/blog/-export",
    name: "Export Blog",
    names: { radio: ["JSON", "CSV"], button: "Download" },
  },
  { path: "/collections/blog/-factory", name: "Fill Blog" },
  { path: "/collections/plain/-new", name: "New object" },
  { path: "/schemas", name: "Schemas", names: { grid: "Schemas", link: "New schema" } },
  {
    path: "/schemas/-new",
    name: "New schema",
    names: {
      textbox: ["Id", "Title", "Description"],
      label: "Category",
      combobox: "Inherit from",
      tab: ["Properties", "Layout", "JSON", "Check"],
      button: ["Add property", "Save"],
    },
  },
  { path: "/schemas/event", name: "Event", dialogs: ["Add property"], isCrowded: true },
  { path: "/schemas/event?tab=layout", name: "Event" },
  { path: "/schemas/event?tab=check", name: "Event" },
  {
    path: "/schemas/article",
    name: "Article",
    names: { list: "Properties", listitem: ["title", "body"], button: ["Add property", "Save"] },
  },
  { path: "/templates", name: "Templates" },
  { path: "/templates/pages/home", name: "pages/home" },
  { path: "/site", name: "Site", dialogs: ["New redirect"], isCrowded: true },
  { path: "/dataviews", name: "Data views", names: { grid: "Data views" } },
  { path: "/dataviews/-new", name: "New data view" },
  { path: "/dataviews/totals", name: "Totals", names: { button: ["Test run", "Rebuild"] } },
  { path: "/playground", name: "Playground" },
  { path: "/nowhere", name: "Page not found" },
];

/** What runs, who may do what, and the site as a whole. */
export const runningPages: readonly AdminPage[] = [
  { path: "/automations", name: "Automations", names: { grid: "Automations", link: "New automation" } },
  {
    path: "/automations/-new",
    name: "New automation",
    names: { textbox: ["Name", "Id"], tab: ["Handler", "Triggers"] },
  },
  {
    path: "/automations/nightly",
    name: "Nightly",
    names: {
      switch: "Enabled",
      textbox: ["Name", "Handler"],
      tab: ["Handler", "Triggers", "Runs"],
      button: ["Run now", "Save"],
    },
    dialogs: ["Run now"],
  },
  { path: "/automations/nightly?tab=triggers", name: "Nightly", isCrowded: true },
  { path: "/automations/nightly?tab=runs", name: "Nightly" },
  { path: "/webhooks", name: "Webhooks", names: { grid: "Webhooks" } },
  { path: "/webhooks/-new", name: "New webhook" },
  { path: "/mailer", name: "Mailer", names: { grid: "Mails" } },
  { path: "/mailer/-new", name: "New mail" },
  { path: "/mailer/welcome", name: "Welcome", names: { button: ["Send test", "Preview"] } },
  { path: "/mailer/-log", name: "Mail log" },
  { path: "/users", name: "Users", names: { grid: "Users", link: "New user" } },
  {
    path: "/users/-new",
    name: "New user",
    names: { label: ["Email", "Name", "Password", "Confirm Password", "Groups", "Active"], button: "Save" },
  },
  {
    path: "/users/vic",
    name: "Vic Stone",
    names: { button: "Act as Vic Stone", label: ["Email", "Name"] },
  },
  { path: "/utils/access-groups", name: "Access groups", names: { grid: "Access groups", link: "New group" } },
  {
    path: "/utils/access-groups/-new",
    name: "New group",
    names: {
      textbox: ["Id", "Description"],
      grid: "Permissions",
      checkbox: [
        ...["Create: Collections", "Read: Collections", "Update: Collections", "Delete: Collections"],
        "All collections",
      ],
    },
  },
  { path: "/utils/api-keys", name: "API keys", dialogs: ["New key"] },
  { path: "/utils/oauth-clients", name: "OAuth clients", dialogs: ["New client"] },
  { path: "/utils/oauth-grants", name: "OAuth grants" },
  {
    path: "/utils/sync",
    name: "Sync",
    names: {
      status: "Remote",
      radiogroup: "Direction",
      radio: ["Push", "Pull"],
      button: ["Compare", "Select changed", "Clear"],
      treegrid: "Differences",
      checkbox: "Select schema article",
    },
  },
  {
    path: "/utils/jumpstart",
    name: "Jumpstart",
    names: { button: ["Export", "Import", "Choose file"], group: ["Schemas", "Collections", "Templates"] },
  },
  { path: "/utils/backups", name: "Backups" },
  { path: "/jobs", name: "Jobs", names: { grid: "Jobs", button: "Clear finished" } },
  { path: "/utils/trash", name: "Trash", names: { grid: "Trash", button: "Restore" } },
  { path: "/utils/logs", name: "Logs", names: { grid: "Audit" } },
  { path: "/utils/cache", name: "Cache", names: { button: "Clear cache" }, dialogs: ["Clear cache"] },
  { path: "/utils/mcp", name: "MCP", names: { button: "Run doctor" } },
  { path: "/utils/system", name: "System" },
  { path: "/extensions", name: "Extensions" },
  { path: "/settings", name: "Settings" },
  { path: "/settings/site", name: "Site", names: { button: "Save" } },
  { path: "/settings/smtp", name: "Mail", names: { button: "Send a test" }, isCrowded: true },
  { path: "/settings/sync", name: "Sync", names: { button: "Test connection" } },
  { path: "/settings/mcp", name: "MCP", names: { button: "Test connection" } },
  { path: "/profile", name: "Profile", names: { tab: ["Profile", "Security", "Connections", "Preferences"] } },
  {
    path: "/profile?tab=security",
    name: "Profile",
    names: { button: ["Change Password", "Add passkey", "End session"], grid: "Sessions" },
    dialogs: ["Change Password"],
  },
  { path: "/profile?tab=connections", name: "Profile" },
  {
    path: "/profile?tab=preferences",
    name: "Profile",
    names: {
      switch: "Single-key shortcuts",
      radiogroup: ["Theme", "Density"],
      combobox: "Language",
    },
  },
];
