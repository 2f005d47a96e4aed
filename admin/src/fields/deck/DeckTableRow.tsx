// One item of a deck as a row of a table; the last row is empty and waits for a new item.

import type { JsonObject } from "@contract/json.ts";
import type { SchemaRecord } from "@contract/schemas.ts";
import { calculate } from "@rules/calc.ts";
import { isRuleMet } from "@rules/visibility.ts";
import { GripVertical } from "lucide-react";
import { type FieldInputProps, plainText } from "#fields/field-kind.ts";
import { itemKey } from "#fields/items.ts";
import type { FieldProperty } from "#fields/property.ts";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import ordering from "#ui/ordering.module.css";
import type { Ordering } from "#ui/useOrdering.ts";
import { deckWords } from "#words/decks.ts";
import { useWords } from "#words/language.ts";
import css from "./deck.module.css";
import { ItemMenu } from "./ItemMenu.tsx";
import type { Deck } from "./use-deck.ts";

interface Props extends FieldInputProps {
  schema: SchemaRecord;
  deck: Deck;
  columns: readonly FieldProperty[];
  /** Its place; after the last item it is the empty row. */
  at: number;
  order: Ordering;
  /** The column that has the focus, if this row has it. */
  chosen: number | undefined;
  isEditing: boolean;
  onSelect: (column: number) => void;
  onOpen: () => void;
}

export function DeckTableRow(props: Props) {
  const { path, schema, deck, columns, at, order, chosen, isEditing, errors, context, isDisabled } = props;
  const { onSelect, onOpen } = props;
  const words = useWords(deckWords);
  const item = deck.items[at];
  const label = item ? (deck.labels[at] ?? "") : words.emptyRow;
  const key = itemKey(item ?? {}, at);
  const { inner } = context;
  const entry = item ? order.entry(at) : undefined;
  return (
    <tr {...entry} aria-label={label} className={classes(css.row, ordering.column, !item && css.offered)}>
      {columns.map((column, index) => {
        const error = errors.get(`${key}.${column.name}`);
        const isOpen = isEditing && chosen === index && item !== undefined;
        const isShown = !column.visibility || isRuleMet(column.visibility, item ?? {});
        return (
          <td
            key={column.name}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it is one of a grid, and says whether it is wrong
            role="gridcell"
            data-cell={`${at} ${index}`}
            tabIndex={isOpen ? undefined : chosen === index ? 0 : -1}
            aria-invalid={error !== undefined || undefined}
            aria-readonly={column.lock !== undefined || undefined}
            title={isOpen ? undefined : error}
            className={classes(css.cell, error !== undefined && css.wrong, isOpen && css.open)}
            onFocus={(event) => event.target === event.currentTarget && onSelect(index)}
          >
            {isOpen && inner ? (
              <inner.Field itemSchema={schema.id} path={`${path}.${key}.${column.name}`} name={column.name} />
            ) : (
              item && isShown && <span className={css.cellText}>{cellText(column, item, context)}</span>
            )}
          </td>
        );
      })}
      <td className={css.toolsCell} data-tools>
        {item && (
          <span className={css.tools}>
            <span {...order.handle(at)} className={ordering.grip} aria-hidden="true" data-tip={words.drag}>
              <Icon of={GripVertical} />
            </span>
            <ItemMenu
              label={label}
              at={at}
              count={deck.items.length}
              isFull={deck.isFull}
              isDisabled={isDisabled}
              onEdit={onOpen}
              onDuplicate={() => deck.duplicate(at)}
              onMove={deck.move}
              onRemove={() => deck.remove(at)}
            />
          </span>
        )}
      </td>
    </tr>
  );
}

function cellText(column: FieldProperty, item: JsonObject, context: FieldInputProps["context"]): string {
  const { calc } = column.settings;
  const stored = item[column.name];
  const value = typeof calc === "string" ? (calculate(calc, item) ?? stored) : stored;
  return context.inner?.textOf(value, column, context) ?? plainText(value);
}
