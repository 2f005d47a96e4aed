import { useParams } from "@tanstack/react-router";
import { useCollection } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";

export function CollectionTablePage() {
  const { collection: id } = useParams({ from: "/shell/admin/collections/$collection" });
  const collection = useCollection(id);
  return <Page title={collection?.name ?? id} needs={collection !== undefined} isWide />;
}
