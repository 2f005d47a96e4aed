// A ready-made collection that does not exist yet: the entries of the sidebar for pages and prompts lead here until they do.

import { Plus } from "lucide-react";
import { Page } from "#shell/Page.tsx";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { collectionsWords } from "#words/collections.ts";
import { useWords } from "#words/language.ts";
import { type ReadyMadeId, useReadyMade } from "./ready-made.ts";

export function NotMadeYet({ id }: { id: ReadyMadeId }) {
  const words = useWords(collectionsWords);
  const { add, adding } = useReadyMade();
  const { name, text } = words.ready[id];
  const action = (
    <Button variant="primary" icon={Plus} isPending={adding !== ""} onPress={() => void add(id)}>
      {words.add(name)}
    </Button>
  );
  return (
    <Page title={name}>
      <EmptyState title={words.notMade(name)} text={text} action={action} />
    </Page>
  );
}
