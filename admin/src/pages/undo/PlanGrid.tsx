// The plan of an undo by object and property, conflicts first. An object that others edited is undone on request.

import type { UndoItem, UndoProperty } from "@contract/history.ts";
import type { Json } from "@contract/json.ts";
import { Sides } from "#form/difference/SideBySide.tsx";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import { authorText } from "#session/author.ts";
import { useStart } from "#session/start.ts";
import { Badge } from "#ui/Badge.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { authorWords } from "#words/authors.ts";
import { formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { undoWords } from "#words/undo.ts";
import css from "./undo.module.css";

interface Props {
  items: readonly UndoItem[];
  forced: ReadonlySet<string>;
  onForce: (forced: ReadonlySet<string>) => void;
}

const keyOf = ({ collection, id }: UndoItem) => `${collection}/${id}`;

export function PlanGrid({ items, forced, onForce }: Props) {
  const words = useWords(undoWords);
  const { collections } = useStart();
  const force = (item: UndoItem, isForced: boolean) => {
    const next = new Set(forced);
    if (isForced) next.add(keyOf(item));
    else next.delete(keyOf(item));
    onForce(next);
  };
  return (
    <RecordGrid
      label={words.plan}
      rows={items}
      idOf={keyOf}
      nameOf={keyOf}
      details={(item) => (item.properties.length > 0 ? <Properties item={item} /> : undefined)}
      detailsLabel={words.details}
      columns={[
        {
          id: "object",
          label: words.object,
          cell: ({ collection, id }) => (
            <span className={css.named}>
              <span className={css.name}>{id}</span>
              <span className={css.of}>{collections.find((known) => known.id === collection)?.name ?? collection}</span>
            </span>
          ),
        },
        {
          id: "action",
          label: words.action,
          cell: (item) => words.actions[forced.has(keyOf(item)) ? "delete" : item.action] ?? item.action,
        },
        {
          id: "properties",
          label: words.properties,
          cell: ({ properties }) => formatList(properties.map(({ name }) => name)),
        },
        {
          id: "conflict",
          label: words.conflict,
          cell: (item) =>
            item.conflict !== undefined && (
              <span className={css.conflict}>
                <Badge tone="warn">{words.conflicts[item.conflict] ?? item.conflict}</Badge>
                {item.conflict === "edited" && (
                  <Checkbox
                    label={words.force(item.id)}
                    isSelected={forced.has(keyOf(item))}
                    onChange={(isForced) => force(item, isForced)}
                  />
                )}
              </span>
            ),
        },
      ]}
    />
  );
}

function Properties({ item }: { item: UndoItem }) {
  const words = useWords(undoWords);
  const authors = useWords(authorWords);
  return (
    <ul className={css.properties}>
      {item.properties.map((property) => {
        const { name, status, by } = property;
        const told = words.statuses[status] ?? status;
        return (
          <li key={name}>
            <p className={css.property}>
              <strong>{name}</strong> {told}
              {by && `, ${words.by(authorText(by, authors))}`}
              {item.details?.[name] && `: ${item.details[name].join(". ")}`}
            </p>
            {status === "clean" && hasValues(property) && (
              <Sides
                leftLabel={words.now}
                rightLabel={words.afterUndo}
                left={textOf(property.from)}
                right={textOf(property.to)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

const hasValues = ({ from, to }: UndoProperty) => from !== undefined || to !== undefined;

/** A longer text is a page of its own. */
const maxText = 5_000;

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}
