import { Page } from "#shell/Page.tsx";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";

export function CollectionsPage() {
  return <Page title={useWords(shellWords).collections} />;
}
