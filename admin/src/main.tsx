// Mounts the admin.

import "@fontsource-variable/source-sans-3/wght.css";
import "#styles/reset.css";
import "#styles/tokens.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { keptLook } from "#session/preferences.ts";
import { queryClient } from "#session/query-client.ts";
import { setLanguage } from "#words/language.ts";
import { router } from "./router.tsx";

// The page's own code is fetched beside its first answers.
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  const { component } = router.routesById[routeId as keyof typeof router.routesById].options;
  if (component && "preload" in component) void component.preload?.();
}

await setLanguage(keptLook().language);

createRoot(document.getElementById("app") as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
