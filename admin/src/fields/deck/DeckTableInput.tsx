// The items of a deck as a table: a cell is chosen with the arrow keys and edited in place; rows can be pasted from a spreadsheet.

import type { JsonObject } from "@contract/json.ts";
import { Plus } from "lucide-react";
import { type ClipboardEvent, type FocusEvent, type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import type { FieldInputProps } from "#fields/field-kind.ts";
import { itemKey, itemSchemaOf } from "#fields/items.ts";
import { otherField } from "#fields/other.tsx";
import { type FieldProperty, shownProperties } from "#fields/property.ts";
import { useReveal } from "#fields/reveal.ts";
import { Button } from "#ui/Button.tsx";
import { describedBy, FieldFrame, labelId } from "#ui/FieldFrame.tsx";
import { drawNow } from "#ui/timing/drawNow.ts";
import { useOrdering } from "#ui/useOrdering.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { deckWords } from "#words/decks.ts";
import { currentLanguage, useWords } from "#words/language.ts";
import { DeckCount } from "./DeckCount.tsx";
import { DeckTableRow } from "./DeckTableRow.tsx";
import css from "./deck.module.css";
import { ItemEditor, type Opened } from "./ItemEditor.tsx";
import { pastedValue, readPasted } from "./paste.ts";
import { useDeck } from "./use-deck.ts";

export function DeckTableInput(props: FieldInputProps) {
  const schema = itemSchemaOf(props.property, props.context.items);
  if (!schema || !props.context.inner) return <otherField.Input {...props} />;
  return <Table {...props} schema={schema} />;
}

interface Props extends FieldInputProps {
  schema: NonNullable<ReturnType<typeof itemSchemaOf>>;
}

type Keys = Map<string, () => void>;

interface Place {
  row: number;
  column: number;
}

/** Edited where they stand; others open the dialog of their row. */
const inPlace = new Set(
  "text textarea email url phone number price select checkbox toggle date datetime time".split(" "),
);

function Table(props: Props) {
  const { id, path, property, schema, description, errors, extra, isDisabled, onBlur } = props;
  const words = useWords(deckWords);
  const deck = useDeck(props, schema);
  const { items } = deck;
  const columns = shownProperties(schema, true).filter(({ name }) => name !== "id");
  const table = useRef<HTMLTableElement>(null);
  const [now, setNow] = useState<Place>({ row: 0, column: 0 });
  const [isEditing, setIsEditing] = useState(false);
  const [opened, setOpened] = useState<Opened>();
  const [said, setSaid] = useState("");
  /** Rows that were begun here and may still be empty. */
  const begun = useRef(new Set<string>());
  const hasEmptyRow = !isDisabled && !deck.isFull;
  const count = items.length + (hasEmptyRow ? 1 : 0);
  const current = { row: Math.min(now.row, Math.max(0, count - 1)), column: Math.min(now.column, columns.length - 1) };

  const order = useOrdering({
    ...{ count: items.length, direction: "column", isDisabled },
    onMove: (from, to) => {
      deck.move(from, to);
      setNow({ ...current, row: to });
      setSaid(words.moved(deck.labels[from] ?? "", to + 1, items.length));
    },
  });

  const cellAt = ({ row, column }: Place) =>
    table.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`) ?? undefined;
  const select = (place: Place) => {
    if (place.row < 0 || place.row >= count || place.column < 0 || place.column >= columns.length) return;
    drawNow(() => {
      setIsEditing(false);
      setNow(place);
    });
    cellAt(place)?.focus();
  };
  const open = (at: number, field?: string) => setOpened({ key: itemKey(items[at] ?? {}, at), at: field });
  const edit = (place: Place) => {
    const column = columns[place.column];
    if (!column || isDisabled || column.lock !== undefined) return;
    if (place.row === items.length) {
      const made = deck.make();
      begun.current.add(itemKey(made, items.length));
      drawNow(() => deck.add(made));
    }
    if (!inPlace.has(column.kind)) {
      open(place.row, column.name);
      return;
    }
    drawNow(() => {
      setNow(place);
      setIsEditing(true);
    });
    focusControl(cellAt(place));
  };
  /** A row that was begun and left empty is none. */
  const tidy = () => {
    const rest = items.filter((item, at) => !(begun.current.has(itemKey(item, at)) && isEmptyItem(item)));
    if (rest.length < items.length) deck.set(rest);
  };
  useReveal(path, (rest) => {
    const [key, name] = rest.split(".");
    const row = items.findIndex((item, at) => itemKey(item, at) === key);
    if (row < 0) return false;
    const column = columns.findIndex((one) => one.name === name);
    if (column < 0) open(row, name);
    else select({ row, column });
    return true;
  });

  const clear = ({ row, column }: Place) => {
    const item = items[row];
    const name = columns[column]?.name;
    if (!item || name === undefined || columns[column]?.lock || !inPlace.has(columns[column]?.kind ?? "")) return;
    deck.replace(row, { ...item, [name]: "" });
  };
  const { row, column } = current;
  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    const target = event.target as HTMLElement;
    if (event.defaultPrevented || event.altKey || !event.currentTarget.contains(target)) return;
    const isCell = target.hasAttribute("data-cell");
    const run = (isCell ? cellKeys(event) : isEditing ? editKeys(event) : toolKeys(target)).get(event.key);
    if (run) {
      event.preventDefault();
      event.stopPropagation();
      run();
    } else if (isCell && event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey) {
      // The key is typed into the control that has the focus by then.
      event.stopPropagation();
      edit(current);
    }
  };
  /** A cell is chosen. */
  const cellKeys = ({ ctrlKey, target }: KeyboardEvent): Keys =>
    new Map([
      ["ArrowUp", () => select({ row: row - 1, column })],
      ["ArrowDown", () => select({ row: row + 1, column })],
      ["ArrowLeft", () => select({ row, column: column - 1 })],
      ["ArrowRight", () => (column + 1 < columns.length ? select({ row, column: column + 1 }) : focusTools(target))],
      ["Home", () => select({ row: ctrlKey ? 0 : row, column: 0 })],
      ["End", () => select({ row: ctrlKey ? count - 1 : row, column: columns.length - 1 })],
      ["Enter", () => edit(current)],
      ["F2", () => edit(current)],
      ["Delete", () => clear(current)],
      ["Backspace", () => clear(current)],
    ]);
  /** A control in a cell has the focus. */
  const editKeys = ({ target, shiftKey }: KeyboardEvent): Keys => {
    const control = target as HTMLElement;
    const keys: Keys = new Map();
    // An open list of choices has the keys.
    if (control.getAttribute("aria-expanded") === "true") return keys;
    keys.set("Escape", () => select(current));
    if (isLine(control)) keys.set("Enter", () => select({ row: Math.min(row + 1, count - 1), column }));
    const step = shiftKey ? -1 : 1;
    if (control.role !== "spinbutton" && columns[column + step]) keys.set("Tab", () => editNeighbour(step));
    return keys;
  };
  const toolKeys = (target: HTMLElement): Keys => {
    const back = () => select(current);
    return target.closest("[data-tools]")
      ? new Map([
          ["ArrowLeft", back],
          ["Escape", back],
        ])
      : new Map();
  };
  const editNeighbour = (step: number) => {
    const next = { row, column: column + step };
    if (columns[next.column]?.lock !== undefined) select(next);
    else edit(next);
  };

  const click = ({ target }: MouseEvent) => {
    const cell = (target as HTMLElement).closest<HTMLElement>("[data-cell]");
    if (!cell?.hasAttribute("tabindex")) return;
    const [at = 0, beside = 0] = (cell.dataset.cell ?? "").split(" ").map(Number);
    edit({ row: at, column: beside });
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text/plain");
    const isInControl = !(event.target as HTMLElement).hasAttribute("data-cell");
    if (isDisabled || text === "" || (isInControl && !text.includes("\t"))) return;
    event.preventDefault();
    const next: JsonObject[] = [...items];
    const lines = readPasted(text);
    lines.forEach((line, at) => {
      const made = next[row + at] ?? (deck.most === undefined || next.length < deck.most ? deck.make() : undefined);
      if (!made) return;
      const changed: JsonObject = { ...made };
      line.forEach((cell, beside) => {
        const into = columns[column + beside];
        const value = into && pastedValue(into, cell, currentLanguage());
        if (into && value !== undefined) changed[into.name] = value;
      });
      next[Math.min(row + at, next.length)] = changed;
    });
    setIsEditing(false);
    deck.set(next);
    setSaid(words.pasted(lines.length));
  };
  const leave = (event: FocusEvent<HTMLTableElement>) => {
    const next = event.relatedTarget as HTMLElement | null;
    // Lists and calendars of a control lie outside of the table.
    if (next?.closest("[role=listbox], [role=dialog], [role=menu]") || !document.hasFocus()) return;
    const cell = (event.target as HTMLElement).closest("[data-cell]");
    if (isEditing && !cell?.contains(next)) setIsEditing(false);
    if (event.currentTarget.contains(next)) return;
    tidy();
    onBlur();
  };

  const error = errors.get("");
  return (
    <FieldFrame
      label={property.label}
      htmlFor={id}
      help={description ?? words.tableKeys}
      error={error}
      isRequired={property.isRequired}
      extra={<DeckCount deck={deck} extra={extra} />}
      isGroup
    >
      <div className={css.deck}>
        <div className={css.scroll}>
          <table
            ref={table}
            id={id}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: cells are chosen with the arrow keys
            role="grid"
            aria-labelledby={labelId(id)}
            aria-describedby={describedBy(id, { help: true, error })}
            className={css.table}
            onKeyDown={press}
            onClick={click}
            onPaste={paste}
            onBlur={leave}
          >
            <thead>
              <tr>
                {columns.map(({ name, label, isRequired }) => (
                  <th key={name} scope="col">
                    {label}
                    {isRequired && <span aria-hidden="true"> *</span>}
                  </th>
                ))}
                <th className={css.toolsCell}>
                  <VisuallyHidden>{words.rowActions}</VisuallyHidden>
                </th>
              </tr>
            </thead>
            <tbody>
              {Array.from({ length: count }, (_, at) => (
                <DeckTableRow
                  key={itemKey(items[at] ?? {}, at)}
                  {...props}
                  schema={schema}
                  deck={deck}
                  columns={columns}
                  at={at}
                  order={order}
                  chosen={at === row ? column : undefined}
                  isEditing={isEditing && at === row}
                  onSelect={(next) => setNow({ row: at, column: next })}
                  onOpen={() => open(at)}
                />
              ))}
            </tbody>
          </table>
        </div>
        <div className={css.foot}>
          <Button
            icon={Plus}
            isDisabled={isDisabled || deck.isFull}
            aria-label={words.addRowTo(property.label)}
            onPress={() => edit({ row: items.length, column: firstOf(columns) })}
          >
            {words.addRow}
          </Button>
          {deck.isFull && <span className={css.hint}>{words.full(deck.most ?? 0)}</span>}
        </div>
      </div>
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
      {opened && <ItemEditor {...props} schema={schema} deck={deck} opened={opened} onOpen={setOpened} />}
    </FieldFrame>
  );
}

function focusTools(cell: EventTarget): void {
  (cell as HTMLElement).closest("tr")?.querySelector<HTMLElement>("[data-tools] button")?.focus();
}

function firstOf(columns: readonly FieldProperty[]): number {
  return Math.max(
    0,
    columns.findIndex(({ lock, kind }) => lock === undefined && inPlace.has(kind)),
  );
}

function isEmptyItem(item: JsonObject): boolean {
  return Object.entries(item).every(
    ([name, value]) => name === "id" || value === "" || value === null || value === false,
  );
}

/** Enter ends the line: not in a text of several lines, not in a list of choices. */
function isLine(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && target.type !== "checkbox";
}

const controls = "input, textarea, [role=spinbutton], button";

/** Large controls come a moment later. */
function focusControl(cell: HTMLElement | undefined): void {
  const focus = () => {
    const control = cell?.querySelector<HTMLElement>(controls);
    control?.focus();
    if (control instanceof HTMLInputElement && control.type !== "checkbox") control.select();
    return control !== undefined && control !== null;
  };
  if (!cell || focus()) return;
  const observer = new MutationObserver(() => focus() && observer.disconnect());
  observer.observe(cell, { childList: true, subtree: true });
}
