// Earlier versions of an object: from the log of changes where there is one, else the snapshots that imports left.

import type { AdminCollection } from "@contract/admin.ts";
import type { ComponentProps } from "react";
import { LogTab } from "./LogTab.tsx";
import { VersionsTab } from "./VersionsTab.tsx";

interface Props extends Omit<ComponentProps<typeof LogTab>, "collection" | "hasValues"> {
  collection: AdminCollection;
}

export function AnyVersions({ collection: { id: collection, history }, ...props }: Props) {
  if (history === "off") return <VersionsTab {...props} collection={collection} />;
  return <LogTab {...props} collection={collection} hasValues={history === "full"} />;
}
