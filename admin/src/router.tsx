// Every page on one screen: its path and the file that draws it. Rights are asked by the page frame (`needs`).

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { NotFoundPage } from "#pages/NotFoundPage.tsx";

const root = createRootRoute({ notFoundComponent: NotFoundPage });

const specimen = createRoute({
  getParentRoute: () => root,
  path: "/admin/-specimen",
  component: lazyRouteComponent(() => import("#pages/specimen/SpecimenPage.tsx"), "SpecimenPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([specimen]),
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
