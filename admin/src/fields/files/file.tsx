// One file. The widget is loaded when it is first shown.

import { isJsonObject } from "@contract/json.ts";
import { lazy } from "react";
import type { FieldKind } from "#fields/field-kind.ts";

export const fileField: FieldKind = {
  kinds: ["file"],
  Input: lazy(() => import("./file-input.tsx").then((module) => ({ default: module.FileInput }))),
  Read: lazy(() => import("./file-input.tsx").then((module) => ({ default: module.FileRead }))),
  text: (value) => (isJsonObject(value) && typeof value.name === "string" ? value.name : ""),
  isEmpty: (value) => !isJsonObject(value) || typeof value.name !== "string",
  accepts: (value) => value === undefined || value === null || isJsonObject(value),
};
