// What the page of an object says about its state: what keeps it from being saved, and whether it is a draft.

import { FileCheck, FilePen } from "lucide-react";
import { ErrorSummary, type SummaryLink } from "#form/ErrorSummary.tsx";
import { useBase, useSummary } from "#form/form-context.ts";
import type { FormStore } from "#form/store.ts";
import { Badge } from "#ui/Badge.tsx";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";

interface SummaryProps {
  store: FormStore;
  refusal: Parameters<typeof ErrorSummary>[0]["refusal"];
  labelOf: (path: string) => string;
  onGo: (path: string) => void;
}

export function Summary({ store, refusal, labelOf, onGo }: SummaryProps) {
  const { errors } = useSummary(store);
  const links: SummaryLink[] = [...errors].map(([path, text]) => ({ path, label: labelOf(path), text }));
  if (links.length === 0 && refusal.text === "") return null;
  return <ErrorSummary refusal={refusal} links={links} onGo={onGo} />;
}

export function DraftBadge({ store, isShown }: { store: FormStore; isShown: boolean }) {
  const words = useWords(formWords);
  const base = useBase(store, "draft");
  if (!isShown) return null;
  return base === true ? (
    <Badge tone="warn" icon={FilePen}>
      {words.draft}
    </Badge>
  ) : (
    <Badge tone="good" icon={FileCheck}>
      {words.published}
    </Badge>
  );
}
