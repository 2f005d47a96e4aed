// The items of a deck, one row each. An item is edited in a dialog; rows are moved by dragging, by keys and by a menu.

import { GripVertical, Pencil, Plus } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import type { FieldInputProps } from "#fields/field-kind.ts";
import { itemKey, itemSchemaOf } from "#fields/items.ts";
import { otherField } from "#fields/other.tsx";
import { useReveal } from "#fields/reveal.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { classes } from "#ui/classes.ts";
import { describedBy, FieldFrame, labelId } from "#ui/FieldFrame.tsx";
import { Icon } from "#ui/Icon.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import ordering from "#ui/ordering.module.css";
import { useOrdering } from "#ui/useOrdering.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { deckWords } from "#words/decks.ts";
import { useWords } from "#words/language.ts";
import { DeckCount } from "./DeckCount.tsx";
import css from "./deck.module.css";
import { ItemEditor, type Opened } from "./ItemEditor.tsx";
import { ItemMenu } from "./ItemMenu.tsx";
import { useDeck } from "./use-deck.ts";

export function DeckInput(props: FieldInputProps) {
  const schema = itemSchemaOf(props.property, props.context.items);
  if (!schema || !props.context.inner) return <otherField.Input {...props} />;
  return <Items {...props} schema={schema} />;
}

interface Props extends FieldInputProps {
  schema: NonNullable<ReturnType<typeof itemSchemaOf>>;
}

function Items(props: Props) {
  const { id, path, property, schema, description, errors, extra, isDisabled, onBlur } = props;
  const words = useWords(deckWords);
  const deck = useDeck(props, schema);
  const { items, labels } = deck;
  const grid = useRef<HTMLTableElement>(null);
  const [current, setCurrent] = useState(0);
  const [opened, setOpened] = useState<Opened>();
  const [said, setSaid] = useState("");
  const row = Math.min(current, items.length - 1);

  const move = (from: number, to: number) => {
    deck.move(from, to);
    setCurrent(to);
    setSaid(words.moved(labels[from] ?? "", to + 1, items.length));
  };
  const order = useOrdering({ count: items.length, direction: "column", onMove: move, isDisabled });

  const focusRow = (at: number) => {
    setCurrent(at);
    // After a row was removed the others take its place with the next drawing.
    requestAnimationFrame(() => rowsOf(grid.current)[at]?.focus());
  };
  const remove = (at: number) => {
    deck.remove(at);
    if (items.length > 1) focusRow(Math.min(at, items.length - 2));
    else grid.current?.closest("[data-property]")?.querySelector<HTMLElement>("[data-add]")?.focus();
  };
  const edit = (at: number, field?: string) => {
    setCurrent(at);
    setOpened({ key: itemKey(items[at] ?? {}, at), at: field });
  };
  useReveal(path, (rest) => {
    const [key, ...inner] = rest.split(".");
    const at = items.findIndex((item, index) => itemKey(item, index) === key);
    if (at >= 0) edit(at, inner.join(".") || undefined);
    return at >= 0;
  });

  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    const element = event.target as HTMLElement;
    if (event.altKey || event.ctrlKey || event.metaKey || !event.currentTarget.contains(element)) return;
    const rows = rowsOf(grid.current);
    const at = rows.findIndex((one) => one.contains(element));
    const isRow = element === rows[at];
    const buttons = [...(rows[at]?.querySelectorAll<HTMLElement>("button") ?? [])];
    const button = buttons.indexOf(element as HTMLButtonElement);
    const keys = new Map<string, () => void>([
      ["ArrowDown", () => focusRow(Math.min(at + 1, rows.length - 1))],
      ["ArrowUp", () => focusRow(Math.max(at - 1, 0))],
      ["Home", () => focusRow(0)],
      ["End", () => focusRow(rows.length - 1)],
      ["ArrowRight", () => buttons[Math.min(button + 1, buttons.length - 1)]?.focus()],
      ["ArrowLeft", () => (button > 0 ? buttons[button - 1] : rows[at])?.focus()],
    ]);
    if (isRow) keys.set("Enter", () => edit(at)).set("Delete", () => remove(at));
    const run = keys.get(event.key);
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };

  const error = errors.get("");
  return (
    <FieldFrame
      label={property.label}
      htmlFor={id}
      help={description}
      error={error}
      isRequired={property.isRequired}
      extra={<DeckCount deck={deck} extra={extra} />}
      isGroup
    >
      <div className={css.deck}>
        <table
          ref={grid}
          id={id}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows are chosen with the arrow keys
          role="grid"
          aria-labelledby={labelId(id)}
          aria-describedby={describedBy(id, { help: description, error })}
          aria-rowcount={items.length}
          className={css.items}
          onKeyDown={press}
          onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && onBlur()}
        >
          <tbody>
            {items.map((item, at) => {
              const key = itemKey(item, at);
              const label = labels[at] ?? "";
              const wrong = [...errors.keys()].filter((place) => place === key || place.startsWith(`${key}.`)).length;
              return (
                <tr
                  {...order.entry(at)}
                  key={key}
                  aria-label={label}
                  aria-rowindex={at + 1}
                  tabIndex={at === row ? 0 : -1}
                  className={classes(css.item, ordering.column)}
                  onFocus={(event) => event.target === event.currentTarget && setCurrent(at)}
                >
                  <td className={css.gripCell}>
                    <span {...order.handle(at)} className={ordering.grip} aria-hidden="true" data-tip={words.drag}>
                      <Icon of={GripVertical} />
                    </span>
                  </td>
                  <td className={css.first} onDoubleClick={() => edit(at)}>
                    <span className={css.label}>{label}</span>
                    {wrong > 0 && <Badge tone="bad">{words.errors(wrong)}</Badge>}
                  </td>
                  <td className={css.itemTools}>
                    <span className={css.tools}>
                      <IconButton
                        label={words.edit(label)}
                        icon={Pencil}
                        isSmall
                        isDisabled={isDisabled}
                        tabIndex={-1}
                        onPress={() => edit(at)}
                      />
                      <ItemMenu
                        label={label}
                        at={at}
                        count={items.length}
                        isFull={deck.isFull}
                        isDisabled={isDisabled}
                        onDuplicate={() => {
                          deck.duplicate(at);
                          focusRow(at + 1);
                        }}
                        onMove={move}
                        onRemove={() => remove(at)}
                      />
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {items.length === 0 && <p className={css.none}>{words.none}</p>}
        <div className={css.foot}>
          <Button
            icon={Plus}
            isDisabled={isDisabled || deck.isFull}
            aria-label={words.addTo(property.label)}
            data-add
            onPress={() => setOpened({ key: undefined })}
          >
            {words.add}
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

function rowsOf(grid: HTMLElement | null): HTMLElement[] {
  return [...(grid?.querySelectorAll<HTMLElement>(":scope > tbody > tr") ?? [])];
}
