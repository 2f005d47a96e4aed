// How a snapshot is named on the page.

import type { SnapshotTarget } from "@contract/admin.ts";

export function nameOfSnapshot({ collection, id }: SnapshotTarget): string {
  return collection === undefined ? id : `${collection}/${id}`;
}
