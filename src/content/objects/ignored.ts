// Names that a caller sent and nothing read, each with the name that was probably meant.

import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { nearNames } from "#rules/near-names.ts";
import type { FlatSchema } from "#schemas/types.ts";

export interface Ignored {
  name: string;
  meant?: string;
}

const most = 50;
/** Letters that differ in a name that is nothing but misspelt. */
const misspelt = 2;
/** Set by the service. */
const ofService = new Set(["id", "created", "modified"]);

export function ignoredNames(names: readonly string[], known: Iterable<string>): Ignored[] {
  const candidates = [...known];
  return names.slice(0, most).map((name) => {
    const [meant] = nearNames(name, candidates, misspelt);
    return meant === undefined ? { name } : { name, meant };
  });
}

/** The answer to a write, with what was ignored of it. The public learns no names of properties. */
export function withIgnored<T extends object>(
  answer: T,
  ctx: Context,
  schema: FlatSchema,
  sent: JsonObject,
): T & { ignored?: Ignored[] } {
  const names = unknownNames(schema, sent);
  return names.length === 0 ? answer : { ...answer, ignored: explainUnknown(ctx, schema, names) };
}

export function unknownNames({ properties }: FlatSchema, sent: JsonObject): string[] {
  return Object.keys(sent).filter((name) => !properties.has(name) && !ofService.has(name));
}

export function explainUnknown({ actor }: Context, { properties }: FlatSchema, names: readonly string[]): Ignored[] {
  return ignoredNames(names, actor.kind === "anonymous" || actor.kind === "form" ? [] : properties.keys());
}
