// Files in folders. The widget is loaded when it is first shown.

import { isJsonObject, type Json } from "@contract/json.ts";
import { lazy } from "react";
import type { FieldKind } from "#fields/field-kind.ts";
import { fields as words } from "#words/en/fields.ts";

export const depotField: FieldKind = {
  kinds: ["depot"],
  Input: lazy(() => import("./depot-input.tsx").then((module) => ({ default: module.DepotInput }))),
  Read: lazy(() => import("./depot-input.tsx").then((module) => ({ default: module.DepotRead }))),
  text: (value) => {
    const count = countFiles(value);
    return count === 0 ? "" : words.files(count);
  },
  isEmpty: (value) => countFiles(value) === 0,
  accepts: (value) => value === undefined || value === null || isJsonObject(value),
};

function countFiles(value: Json | undefined): number {
  const files = isJsonObject(value) && Array.isArray(value.files) ? value.files : [];
  return files.reduce<number>((sum, entry) => {
    return sum + (isJsonObject(entry) && entry.mime === "folder" ? countFiles(entry) : 1);
  }, 0);
}
