// The names that sentences about field kinds are kept under.

import type { fieldKinds } from "@contract/schemas.ts";

export type Kind = (typeof fieldKinds)[number];
export type KindGroup = "text" | "number" | "date" | "choice" | "file" | "structure" | "language" | "special";
