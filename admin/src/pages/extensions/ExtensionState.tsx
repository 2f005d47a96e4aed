// The state of an extension in one word.

import type { ExtensionState as State } from "@contract/extensions.ts";
import { CircleAlert, CircleCheck, CircleDashed, type LucideIcon, TriangleAlert } from "lucide-react";
import { Badge, type Tone } from "#ui/Badge.tsx";
import { extensionsWords } from "#words/extensions.ts";
import { useWords } from "#words/language.ts";

const looks: Record<State, [tone: Tone, icon: LucideIcon]> = {
  invalid: ["bad", CircleAlert],
  incompatible: ["warn", TriangleAlert],
  disabled: ["neutral", CircleDashed],
  "needs-review": ["warn", TriangleAlert],
  enabled: ["good", CircleCheck],
  failed: ["bad", CircleAlert],
  quarantined: ["bad", CircleAlert],
};

export function ExtensionState({ state }: { state: State }) {
  const words = useWords(extensionsWords);
  const [tone, icon] = looks[state];
  return (
    <Badge tone={tone} icon={icon}>
      {words.states[state]}
    </Badge>
  );
}
