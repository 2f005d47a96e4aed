import { Page } from "#shell/Page.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";

export function HomePage() {
  return <Page title={useWords(commonWords).home} />;
}
