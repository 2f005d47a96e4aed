// The place of the panel "Uploads" over all pages. The panel is loaded with the first upload.

import { lazy, Suspense, useSyncExternalStore } from "react";
import { uploadQueue } from "./upload-hub.ts";

const UploadsPanel = lazy(() => import("./UploadsPanel.tsx").then((module) => ({ default: module.UploadsPanel })));

const nothing = () => () => {};

export function UploadsHost() {
  const queue = uploadQueue.use();
  const hasAny = useSyncExternalStore(queue?.subscribe ?? nothing, () => (queue?.all().length ?? 0) > 0);
  return <Suspense>{hasAny && <UploadsPanel />}</Suspense>;
}
