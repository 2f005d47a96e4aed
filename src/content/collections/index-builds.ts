// An index for one shape of queries, requested by an operator: the service builds most of them itself (storage/query/indexes.ts).

import { allow } from "#access/allow.ts";
import { findOperand, type Naming } from "#content/query/operands.ts";
import { refuse, shown } from "#content/query/parameters.ts";
import { parseSort } from "#content/query/sorting.ts";
import type { Context } from "#context.ts";
import { buildIndex } from "#storage/query/indexes.ts";
import type { Condition, Operand } from "#storage/query/selection.ts";
import { openCollection } from "./open-collection.ts";

export interface QueryShape {
  /** Names of properties that are compared for equality. */
  equal: readonly string[];
  /** As the parameter of lists; the first property counts. */
  sort: string;
  /** Names of properties that filters with `or` and `not` compare. */
  carry: readonly string[];
  /** For callers that see no drafts. */
  isPublic: boolean;
}

/** False when an existing index serves such queries. */
export async function buildIndexFor(
  ctx: Context,
  collectionId: string,
  { equal, sort, carry, isPublic }: QueryShape,
): Promise<boolean> {
  allow(ctx, "update", { kind: "collections", collection: collectionId });
  const { schema } = await openCollection(ctx, "read", collectionId);
  const compared = (parameter: string) => (name: string) => {
    return { operand: indexedOperand({ schema, parameter }, name), operator: "eq", values: [] } satisfies Condition;
  };
  const include = equal.map(compared("equal"));
  const groups = [{ any: carry.map(compared("carry")) }];
  const order = parseSort({ schema, parameter: "sort" }, sort, false);
  for (const { operand } of order.sort) indexedOperand({ schema, parameter: "sort" }, operand.property);
  const hideDrafts = isPublic && schema.properties.has("draft");
  return buildIndex(ctx.storage, { collection: collectionId, include, exclude: [], groups, hideDrafts, ...order });
}

function indexedOperand(naming: Naming, name: string): Operand {
  const operand = findOperand(naming, name);
  if (!operand || operand.source === "document")
    refuse(naming.parameter, `${shown(name)} is not in the index of the schema. Put it there first.`);
  return operand;
}
