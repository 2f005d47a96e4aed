// The state of a data view in one word.

import type { ViewSummary } from "@contract/data-views.ts";
import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import { Badge } from "#ui/Badge.tsx";
import { dataViewWords } from "#words/data-views.ts";
import { useWords } from "#words/language.ts";

export type ViewState = "failed" | "built" | "neverBuilt";

export function stateOf({ lastError, lastBuilt }: Pick<ViewSummary, "lastError" | "lastBuilt">): ViewState {
  if (lastError !== null) return "failed";
  return lastBuilt === null ? "neverBuilt" : "built";
}

const looks = {
  failed: { tone: "bad", icon: CircleAlert },
  built: { tone: "good", icon: CircleCheck },
  neverBuilt: { tone: "neutral", icon: CircleDashed },
} as const;

export function ViewBadge({ view }: { view: Pick<ViewSummary, "lastError" | "lastBuilt"> }) {
  const words = useWords(dataViewWords);
  const state = stateOf(view);
  return <Badge {...looks[state]}>{words[state]}</Badge>;
}
