// Sentences of cards, decks and tables of items.

import { formatNumber, plural } from "#words/format.ts";

const items = (count: number) => plural(count, { one: "1 item", other: (n) => `${n} items` });

export const decks = {
  items,
  itemsOf: (count: number, most: number) => `${formatNumber(count)} of ${items(most)}`,
  none: "No items yet",
  add: "Add item",
  addTo: (label: string) => `Add item to ${label}`,
  addRow: "Add row",
  addRowTo: (label: string) => `Add row to ${label}`,
  newItem: "New item",
  itemNumber: (at: number) => `Item ${at}`,
  edit: (item: string) => `Edit ${item}`,
  editShort: "Edit",
  actions: (item: string) => `Actions for ${item}`,
  duplicate: "Duplicate",
  remove: "Delete",
  removed: (item: string) => `${item} was deleted`,
  undo: "Undo",
  drag: "Drag to order",
  errors: (count: number) => plural(count, { one: "1 error", other: (n) => `${n} errors` }),
  full: (most: number) =>
    plural(most, { one: "There can be 1 item, and it is there.", other: (n) => `All ${n} items are there.` }),
  atLeast: (least: number) => plural(least, { one: "At least 1 item.", other: (n) => `At least ${n} items.` }),
  atMost: (most: number) => plural(most, { one: "At most 1 item.", other: (n) => `At most ${n} items.` }),
  moved: (item: string, place: number, count: number) => `${item}: place ${place} of ${count}`,
  tableKeys: "Arrow keys move, Enter edits, Esc leaves. Rows can be pasted from a spreadsheet.",
  emptyRow: "New row",
  pasted: (count: number) => plural(count, { one: "1 row was pasted", other: (n) => `${n} rows were pasted` }),
  rowActions: "Actions",
};
