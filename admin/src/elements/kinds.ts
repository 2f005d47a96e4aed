// Field kinds of extensions: `{vendor}/{name}:{kind}`.

import type { AdminExtensions, ExtensionField } from "@contract/admin.ts";
import { useMemo } from "react";
import { useStart } from "#session/start.ts";
import type { ElementPart } from "./part.ts";

const pattern = /^[a-z0-9-]+\/[a-z0-9-]+:[\w-]+$/;

export function isExtensionKind(kind: string): boolean {
  return pattern.test(kind);
}

/** The id of the extension that a kind belongs to. */
export function extensionOf(kind: string): string {
  return kind.split(":")[0] ?? "";
}

/** Undefined while its extension is not on. */
export function useExtensionField(kind: string): ExtensionField | undefined {
  return findField(useStart().extensions, kind);
}

export function findField({ fields }: AdminExtensions, kind: string): ExtensionField | undefined {
  return fields.find(({ field }) => field === kind);
}

/** The same object until the start of the session says otherwise: the element is not made again meanwhile. */
export function usePart(found: ExtensionField | undefined, use: "element" | "cell"): ElementPart | undefined {
  const address = found?.[use];
  const key = JSON.stringify([address, found?.frame, found?.collections]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the field
  return useMemo(
    () =>
      found && typeof address === "string"
        ? {
            ...{ extension: found.extension, extensionName: found.extensionName, contribution: found.kind, address },
            ...{ frame: found.frame, assets: found.assets, collections: found.collections },
          }
        : undefined,
    [key],
  );
}
