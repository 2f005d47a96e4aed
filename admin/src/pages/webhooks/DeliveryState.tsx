// How a delivery went, in one word, with the status that the receiver answered.

import type { Delivery } from "@contract/webhooks.ts";
import { CircleCheck, CircleX, Clock } from "lucide-react";
import { Badge } from "#ui/Badge.tsx";
import { useWords } from "#words/language.ts";
import { webhookWords } from "#words/webhooks.ts";

const looks = {
  delivered: { tone: "good", icon: CircleCheck },
  queued: { tone: "info", icon: Clock },
  failed: { tone: "bad", icon: CircleX },
} as const;

export function DeliveryState({ delivery }: { delivery: Pick<Delivery, "status"> }) {
  const words = useWords(webhookWords);
  const { status } = delivery;
  return <Badge {...looks[status]}>{words[status]}</Badge>;
}
