// What is copied carries everything that is kept, so that it can be pasted again without loss. What the page shows does not.

import { type DOMOutputSpec, DOMSerializer, type Schema } from "@tiptap/pm/model";
import type { Kept } from "./attributes.ts";

type Written = Record<string, (of: never, ...rest: never[]) => DOMOutputSpec>;

export function clipboardSerializer(schema: Schema): DOMSerializer {
  return new DOMSerializer(
    withKept(DOMSerializer.nodesFromSchema(schema) as Written) as never,
    withKept(DOMSerializer.marksFromSchema(schema) as Written) as never,
  );
}

function withKept(written: Written): Written {
  return Object.fromEntries(
    Object.entries(written).map(([name, write]) => [
      name,
      (of, ...rest) => {
        const spec = write(of, ...rest);
        const { keep } = (of as { attrs: { keep?: Kept } }).attrs;
        if (!keep || !Array.isArray(spec)) return spec;
        const [tag, second, ...inside] = spec as [string, Record<string, string>, ...unknown[]];
        return [tag, { ...second, ...keep }, ...inside] as DOMOutputSpec;
      },
    ]),
  );
}
