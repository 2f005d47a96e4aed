// The name of the page that is shown: for the window, for the bar of narrow screens, and for the list of recent pages.

import { useEffect } from "react";
import { sharedValue } from "#session/shared-value.ts";

export const pageTitle = sharedValue("");

export function useTitle(title: string, siteName: string): void {
  useEffect(() => {
    document.title = `${title} · ${siteName}`;
    pageTitle.set(title);
  }, [title, siteName]);
}
