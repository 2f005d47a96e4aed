// One object's form; without an id, of a new object.

import { useParams } from "@tanstack/react-router";
import { useCollection } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";

export function ObjectPage() {
  const { collection: name = "", id } = useParams({ strict: false });
  const collection = useCollection(name);
  return <Page title={id ?? "New object"} needs={collection !== undefined} isWide />;
}
