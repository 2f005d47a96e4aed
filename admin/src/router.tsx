// Every page on one screen: its path and the file that draws it. Rights are asked by the page frame (`needs`).

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { UploadsHost } from "#files/UploadsHost.tsx";
import { NotFoundPage } from "#pages/NotFoundPage.tsx";
import { requireSession } from "#session/boot.ts";
import { NoStart, PageBroken, PagePending } from "#shell/PageStates.tsx";
import { parseSearch, type Search, writeSearch } from "#shell/paths.ts";
import { Shell } from "#shell/Shell.tsx";

/** Each page checks the parameters that it knows; the others pass. */
const validateSearch = (search: Record<string, unknown>) => search as Search;

const root = createRootRoute({ validateSearch });

const login = createRoute({
  getParentRoute: () => root,
  path: "/admin/login",
  component: lazyRouteComponent(() => import("#pages/login/LoginPage.tsx"), "LoginPage"),
});

/** For the makers of the admin: not linked, and without anything of the site, so it needs no session. */
const specimen = createRoute({
  getParentRoute: () => root,
  path: "/admin/-specimen",
  component: lazyRouteComponent(() => import("#pages/specimen/SpecimenPage.tsx"), "SpecimenPage"),
});

/** Uploads go on from page to page. */
function Frame() {
  return (
    <>
      <Shell />
      <UploadsHost />
    </>
  );
}

const specimenFields = createRoute({
  getParentRoute: () => root,
  path: "/admin/-specimen/fields",
  component: lazyRouteComponent(() => import("#pages/specimen/FieldsPage.tsx"), "FieldsPage"),
});

/** Everything else stands in the shell and needs a session. */
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  beforeLoad: ({ location, preload }) => requireSession(location.href, preload),
  component: Frame,
  errorComponent: NoStart,
  notFoundComponent: NotFoundPage,
});

/** One page for new objects and stored ones: it stays, with the focus, when a new object gets its id. */
const object = createRoute({
  getParentRoute: () => shell,
  id: "object",
  component: lazyRouteComponent(() => import("#pages/objects/ObjectPage.tsx"), "ObjectPage"),
});

const newObject = createRoute({ getParentRoute: () => object, path: "/admin/collections/$collection/-new" });
const oneObject = createRoute({ getParentRoute: () => object, path: "/admin/collections/$collection/$id" });

/** As `object`: the page stays when a new mail gets its id. */
const mail = createRoute({
  getParentRoute: () => shell,
  id: "mail",
  component: lazyRouteComponent(() => import("#pages/mailer/MailPage.tsx"), "MailPage"),
});

const newMail = createRoute({ getParentRoute: () => mail, path: "/admin/mailer/-new" });
const oneMail = createRoute({ getParentRoute: () => mail, path: "/admin/mailer/$id" });

const user = createRoute({
  getParentRoute: () => shell,
  id: "user",
  component: lazyRouteComponent(() => import("#pages/users/UserPage.tsx"), "UserPage"),
});

const newUser = createRoute({ getParentRoute: () => user, path: "/admin/users/-new" });
const oneUser = createRoute({ getParentRoute: () => user, path: "/admin/users/$id" });

const group = createRoute({
  getParentRoute: () => shell,
  id: "group",
  component: lazyRouteComponent(() => import("#pages/access-groups/GroupPage.tsx"), "GroupPage"),
});

const newGroup = createRoute({ getParentRoute: () => group, path: "/admin/utils/access-groups/-new" });
const oneGroup = createRoute({ getParentRoute: () => group, path: "/admin/utils/access-groups/$id" });

/** One page for new schemas and stored ones, for the same reason. */
const schema = createRoute({
  getParentRoute: () => shell,
  id: "schema",
  component: lazyRouteComponent(() => import("#pages/schemas/SchemaPage.tsx"), "SchemaPage"),
});

const newSchema = createRoute({ getParentRoute: () => schema, path: "/admin/schemas/-new" });
const oneSchema = createRoute({ getParentRoute: () => schema, path: "/admin/schemas/$id" });

/** As with objects: the page stays when a new automation gets its id. */
const automation = createRoute({
  getParentRoute: () => shell,
  id: "automation",
  component: lazyRouteComponent(() => import("#pages/automations/AutomationPage.tsx"), "AutomationPage"),
});

const newAutomation = createRoute({ getParentRoute: () => automation, path: "/admin/automations/-new" });
const oneAutomation = createRoute({ getParentRoute: () => automation, path: "/admin/automations/$id" });

/** The tree stays while one template after the other is opened. */
const templates = createRoute({
  getParentRoute: () => shell,
  id: "templates",
  component: lazyRouteComponent(() => import("#pages/templates/TemplatesPage.tsx"), "TemplatesPage"),
});

const allTemplates = createRoute({ getParentRoute: () => templates, path: "/admin/templates" });
const oneTemplate = createRoute({ getParentRoute: () => templates, path: "/admin/templates/$" });

/** The form stays when a new one gets its id. */
const dataView = createRoute({
  getParentRoute: () => shell,
  id: "dataview",
  component: lazyRouteComponent(() => import("#pages/dataviews/DataViewPage.tsx"), "DataViewPage"),
});

const newDataView = createRoute({ getParentRoute: () => dataView, path: "/admin/dataviews/-new" });
const oneDataView = createRoute({ getParentRoute: () => dataView, path: "/admin/dataviews/$id" });

const playground = createRoute({
  getParentRoute: () => shell,
  id: "playground",
  component: lazyRouteComponent(() => import("#pages/playground/PlaygroundPage.tsx"), "PlaygroundPage"),
});

const newSnippet = createRoute({ getParentRoute: () => playground, path: "/admin/playground" });
const oneSnippet = createRoute({ getParentRoute: () => playground, path: "/admin/playground/$id" });

const extensionPages = createRoute({
  getParentRoute: () => shell,
  id: "extension-pages",
  component: lazyRouteComponent(() => import("#pages/ext/OwnPage.tsx"), "OwnPage"),
});

const extensionPage = createRoute({ getParentRoute: () => extensionPages, path: "/admin/ext/$vendor/$name" });
const extensionPageBelow = createRoute({ getParentRoute: () => extensionPages, path: "/admin/ext/$vendor/$name/$" });

const pages = [
  createRoute({
    getParentRoute: () => shell,
    path: "/admin",
    component: lazyRouteComponent(() => import("#pages/home/HomePage.tsx"), "HomePage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/collections",
    component: lazyRouteComponent(() => import("#pages/collections/CollectionsPage.tsx"), "CollectionsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/collections/-new",
    component: lazyRouteComponent(() => import("#pages/collections/NewCollectionPage.tsx"), "NewCollectionPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/collections/$collection",
    component: lazyRouteComponent(() => import("#pages/collections/CollectionTablePage.tsx"), "CollectionTablePage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/collections/$collection/-settings",
    component: lazyRouteComponent(() => import("#pages/collections/settings/SettingsPage.tsx"), "SettingsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/collections/$collection/-import",
    component: lazyRouteComponent(() => import("#pages/collections/transfer/ImportPage.tsx"), "ImportPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/collections/$collection/-export",
    component: lazyRouteComponent(() => import("#pages/collections/transfer/ExportPage.tsx"), "ExportPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/collections/$collection/-factory",
    component: lazyRouteComponent(() => import("#pages/collections/transfer/FactoryPage.tsx"), "FactoryPage"),
  }),
  object.addChildren([newObject, oneObject]),
  templates.addChildren([allTemplates, oneTemplate]),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/site",
    component: lazyRouteComponent(() => import("#pages/site/SitePage.tsx"), "SitePage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/dataviews",
    component: lazyRouteComponent(() => import("#pages/dataviews/DataViewsPage.tsx"), "DataViewsPage"),
  }),
  dataView.addChildren([newDataView, oneDataView]),
  playground.addChildren([newSnippet, oneSnippet]),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/schemas",
    component: lazyRouteComponent(() => import("#pages/schemas/SchemasPage.tsx"), "SchemasPage"),
  }),
  schema.addChildren([newSchema, oneSchema]),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/mailer",
    component: lazyRouteComponent(() => import("#pages/mailer/MailerPage.tsx"), "MailerPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/mailer/-log",
    component: lazyRouteComponent(() => import("#pages/mailer/MailLogPage.tsx"), "MailLogPage"),
  }),
  mail.addChildren([newMail, oneMail]),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/webhooks",
    component: lazyRouteComponent(() => import("#pages/webhooks/WebhooksPage.tsx"), "WebhooksPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/webhooks/-new",
    component: lazyRouteComponent(() => import("#pages/webhooks/WebhookPage.tsx"), "NewWebhookPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/webhooks/$id",
    component: lazyRouteComponent(() => import("#pages/webhooks/WebhookPage.tsx"), "WebhookPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/users",
    component: lazyRouteComponent(() => import("#pages/users/UsersPage.tsx"), "UsersPage"),
  }),
  user.addChildren([newUser, oneUser]),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/utils/access-groups",
    component: lazyRouteComponent(() => import("#pages/access-groups/GroupsPage.tsx"), "GroupsPage"),
  }),
  group.addChildren([newGroup, oneGroup]),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/utils/api-keys",
    component: lazyRouteComponent(() => import("#pages/api-keys/ApiKeysPage.tsx"), "ApiKeysPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/automations",
    component: lazyRouteComponent(() => import("#pages/automations/AutomationsPage.tsx"), "AutomationsPage"),
  }),
  automation.addChildren([newAutomation, oneAutomation]),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/jobs",
    component: lazyRouteComponent(() => import("#pages/jobs/JobsPage.tsx"), "JobsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/settings",
    component: lazyRouteComponent(() => import("#pages/settings/SettingsPage.tsx"), "SettingsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/settings/$section",
    component: lazyRouteComponent(() => import("#pages/settings/SettingsPage.tsx"), "SettingsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/utils/cache",
    component: lazyRouteComponent(() => import("#pages/cache/CachePage.tsx"), "CachePage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/utils/system",
    component: lazyRouteComponent(() => import("#pages/system/SystemPage.tsx"), "SystemPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/profile",
    component: lazyRouteComponent(() => import("#pages/profile/ProfilePage.tsx"), "ProfilePage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/utils/oauth-clients",
    component: lazyRouteComponent(() => import("#pages/oauth/ClientsPage.tsx"), "ClientsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/utils/oauth-grants",
    component: lazyRouteComponent(() => import("#pages/oauth/GrantsPage.tsx"), "GrantsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/utils/logs",
    component: lazyRouteComponent(() => import("#pages/logs/LogsPage.tsx"), "LogsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/utils/mcp",
    component: lazyRouteComponent(() => import("#pages/mcp/McpPage.tsx"), "McpPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/utils/sync",
    component: lazyRouteComponent(() => import("#pages/sync/SyncPage.tsx"), "SyncPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/utils/jumpstart",
    component: lazyRouteComponent(() => import("#pages/jumpstart/JumpstartPage.tsx"), "JumpstartPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/utils/backups",
    component: lazyRouteComponent(() => import("#pages/backups/BackupsPage.tsx"), "BackupsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/utils/trash",
    component: lazyRouteComponent(() => import("#pages/trash/TrashPage.tsx"), "TrashPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/extensions",
    component: lazyRouteComponent(() => import("#pages/extensions/ExtensionsPage.tsx"), "ExtensionsPage"),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: "/admin/extensions/$vendor/$name",
    component: lazyRouteComponent(() => import("#pages/extensions/ExtensionPage.tsx"), "ExtensionPage"),
  }),
  extensionPages.addChildren([extensionPage, extensionPageBelow]),
  createRoute({ getParentRoute: () => shell, path: "/$", component: NotFoundPage }),
] as const;

/** The steps after the first administrator stand outside of the shell; the server opens them to administrators alone. */
const setup = createRoute({
  getParentRoute: () => root,
  id: "setup",
  beforeLoad: ({ location, preload }) => requireSession(location.href, preload),
});

const setupPages = [
  createRoute({
    getParentRoute: () => setup,
    path: "/setup/environment",
    component: lazyRouteComponent(() => import("#pages/setup/EnvironmentPage.tsx"), "EnvironmentPage"),
  }),
  createRoute({
    getParentRoute: () => setup,
    path: "/setup/content",
    component: lazyRouteComponent(() => import("#pages/setup/StarterContentPage.tsx"), "StarterContentPage"),
  }),
  createRoute({
    getParentRoute: () => setup,
    path: "/setup/server-config",
    component: lazyRouteComponent(() => import("#pages/setup/ServerConfigPage.tsx"), "ServerConfigPage"),
  }),
  createRoute({
    getParentRoute: () => setup,
    path: "/setup/complete",
    component: lazyRouteComponent(() => import("#pages/setup/ReadyPage.tsx"), "ReadyPage"),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    specimen,
    specimenFields,
    shell.addChildren(pages),
    setup.addChildren(setupPages),
  ]),
  defaultPreload: "intent",
  defaultPendingComponent: PagePending,
  defaultPendingMs: 300,
  defaultErrorComponent: PageBroken,
  scrollRestoration: true,
  parseSearch,
  stringifySearch: writeSearch,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
