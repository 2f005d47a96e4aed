// The fields of a form as `formgrid` lays them out; in one column where there is little room.

import { type FormBlock, type FormPart, readFormgrid } from "@rules/formgrid.ts";
import { type CSSProperties, useId, useMemo } from "react";
import type { FieldProperty } from "#fields/property.ts";
import { FormField } from "./FormField.tsx";
import css from "./FormLayout.module.css";
import { pathIn } from "./values.ts";

interface Props {
  properties: readonly FieldProperty[];
  formgrid: string | undefined;
  /** The path of what the properties belong to; empty for the object itself. */
  parent?: string;
}

export function FormLayout({ properties, formgrid, parent = "" }: Props) {
  const byName = useMemo(() => new Map(properties.map((property) => [property.name, property])), [properties]);
  const blocks = useMemo(() => readFormgrid(formgrid ?? "", [...byName.keys()]), [formgrid, byName]);
  return (
    <div className={css.form}>
      {blocks.map((block) =>
        block.kind === "fieldset" ? (
          <fieldset
            key={keyOf(block)}
            className={css.fieldset}
            data-heading={parent === "" ? block.legend : undefined}
            tabIndex={-1}
          >
            <legend className={css.legend}>{block.legend}</legend>
            {block.parts.map((part) => (
              <Part key={keyOf(part)} part={part} byName={byName} parent={parent} />
            ))}
          </fieldset>
        ) : (
          <Part key={keyOf(block)} part={block} byName={byName} parent={parent} />
        ),
      )}
    </div>
  );
}

interface PartProps {
  part: FormPart;
  byName: ReadonlyMap<string, FieldProperty>;
  parent: string;
}

function Part({ part, byName, parent }: PartProps) {
  const id = useId();
  if (part.kind === "divider") return <hr className={css.divider} />;
  if (part.kind === "heading") {
    const Heading = parent === "" ? "h2" : "h3";
    return (
      <Heading id={id} className={css.heading} data-heading={parent === "" ? part.title : undefined} tabIndex={-1}>
        {part.title}
      </Heading>
    );
  }
  return (
    <div className={css.grid} style={{ "--columns": part.columns } as CSSProperties}>
      {part.cells.map(({ name, row, column, rows, columns }) => {
        const property = byName.get(name);
        const area = `${row} / ${column} / span ${rows} / span ${columns}`;
        return (
          property && (
            <div key={name} className={css.cell} style={{ "--area": area } as CSSProperties}>
              <FormField property={property} path={pathIn(parent, name)} />
            </div>
          )
        );
      })}
    </div>
  );
}

const dividers = new WeakMap<FormBlock, string>();
let lastDivider = 0;

/** Each names a property only once; dividers are all alike. */
function keyOf(block: FormBlock): string {
  if (block.kind === "grid") return block.cells.map(({ name }) => name).join(" ");
  if (block.kind === "fieldset") return `fieldset ${block.parts.map(keyOf).join(" ")}`;
  const known = dividers.get(block) ?? `${block.kind} ${++lastDivider}`;
  dividers.set(block, known);
  return known;
}
