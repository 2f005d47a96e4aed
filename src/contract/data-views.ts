// Data views on the wire.

import type { Json } from "./json.ts";

/** `GET /api/dataviews`, and one of them. */
export interface ViewSummary {
  id: string;
  name: string;
  description: string;
  dependencies: string[];
  lastBuilt: string | null;
  /** Only for callers that may change the view. */
  lastError: string | null;
  durationMs: number | null;
}

/** `POST /api/dataviews/test`: a definition that fails is an answer too. */
export type TestAnswer = { success: boolean; durationMs?: number; logs?: string[] } & (
  | { data: Json }
  | { error: string }
);
