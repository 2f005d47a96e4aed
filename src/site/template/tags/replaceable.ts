// Tags that print markup of their own, unless the site has a partial of the same name.

import type { TagRun } from "#site/template/define.ts";
import { inTemplate } from "#site/template/rendering.ts";
import type { ParsedTemplate } from "#site/template/template-source.ts";
import { findPartial } from "./layout.ts";

export function* printReplaceable(
  run: TagRun,
  name: string,
  { values, print }: { values: Record<string, unknown>; print: () => string },
): Generator<unknown, void, unknown> {
  const { rendering, context } = run;
  const isInside = rendering.way.some(({ template }) => template === `partials/${name}`);
  const partial = isInside ? undefined : ((yield findPartial(rendering, name)) as ParsedTemplate | undefined);
  if (!partial) return run.print(print());
  const child = context.spawn();
  Object.assign(child.bottom(), values);
  const step = { template: partial.id, args: Object.keys(values) };
  yield inTemplate(rendering, step, run.body(partial.templates, { context: child }));
}
