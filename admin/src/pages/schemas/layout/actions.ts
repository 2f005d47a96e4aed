// What can be done to a drawn cell or line: for its menu, and for Alt and an arrow key. Pure.

import type { schemaLayout } from "#words/en/schema-layout.ts";
import {
  type CellPlace,
  moveDown,
  moveLeft,
  moveLine,
  moveRight,
  moveUp,
  narrower,
  removeCell,
  removeLine,
  wider,
} from "./edit.ts";

type Words = typeof schemaLayout;

export interface LayoutAction {
  id: string;
  label: string;
  shortcut?: string;
  isRemoval?: true;
  /** The new text; undefined: it is not possible. */
  result: () => string | undefined;
}

export function cellActions(words: Words, text: string, place: CellPlace): LayoutAction[] {
  return [
    { id: "left", label: words.moveLeft, shortcut: "Alt+ArrowLeft", result: () => moveLeft(text, place) },
    { id: "right", label: words.moveRight, shortcut: "Alt+ArrowRight", result: () => moveRight(text, place) },
    { id: "up", label: words.moveUp, shortcut: "Alt+ArrowUp", result: () => moveUp(text, place) },
    { id: "down", label: words.moveDown, shortcut: "Alt+ArrowDown", result: () => moveDown(text, place) },
    { id: "wider", label: words.wider, result: () => wider(text, place) },
    { id: "narrower", label: words.narrower, result: () => narrower(text, place) },
    { id: "remove", label: words.remove, isRemoval: true, result: () => removeCell(text, place) },
  ];
}

/** Of a heading, a divider, the beginning or end of a fieldset, or a line that is shown nowhere. */
export function lineActions(words: Words, text: string, line: number): LayoutAction[] {
  return [
    { id: "up", label: words.moveUp, shortcut: "Alt+ArrowUp", result: () => moveLine(text, line, -1) },
    { id: "down", label: words.moveDown, shortcut: "Alt+ArrowDown", result: () => moveLine(text, line, 1) },
    { id: "remove", label: words.remove, isRemoval: true, result: () => removeLine(text, line) },
  ];
}

const keys: Record<string, string> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

/** Arrow keys point where they point on the screen. */
export function actionOfKey(key: string, isReversed: boolean): string | undefined {
  const id = keys[key];
  if (!isReversed || (id !== "left" && id !== "right")) return id;
  return id === "left" ? "right" : "left";
}
