import { Page } from "#shell/Page.tsx";

export function NewCollectionPage() {
  return <Page title="New collection" />;
}
