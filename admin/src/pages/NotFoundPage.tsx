import { LinkButton } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";

export function NotFoundPage() {
  const words = useWords(commonWords);
  return (
    <Page title={words.notFoundTitle}>
      <p>{words.notFoundText}</p>
      <LinkButton to="/admin">{words.home}</LinkButton>
    </Page>
  );
}
