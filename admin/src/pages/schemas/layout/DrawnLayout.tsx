// The layout drawn as rows of cells. Each cell has a menu, can be dragged, and moves with Alt and an arrow key. The text is the
// state: every action makes a new one.

import { MoreHorizontal } from "lucide-react";
import { type CSSProperties, type DragEvent, type KeyboardEvent, useRef, useState } from "react";
import { useStops } from "#grid/records/useStops.ts";
import { type OpenMenu, SharedMenu } from "#grid/SharedMenu.tsx";
import { Badge } from "#ui/Badge.tsx";
import { classes } from "#ui/classes.ts";
import { IconButton } from "#ui/IconButton.tsx";
import type { MenuEntry } from "#ui/Menu.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { useWords } from "#words/language.ts";
import { schemaLayoutWords } from "#words/schema-layout.ts";
import { actionOfKey, cellActions, type LayoutAction, lineActions } from "./actions.ts";
import { type CellPlace, type DropPlace, dropCell } from "./edit.ts";
import css from "./layout.module.css";
import { type Cell, type Layout, type Line, readLayout } from "./model.ts";

interface Props {
  text: string;
  /** Labels of the properties, by name. */
  labels: ReadonlyMap<string, string>;
  isReadOnly: boolean;
  onChange: (text: string) => void;
  /** The line that the focus is in: new lines come after it. */
  onLine: (line: number | undefined) => void;
  /** A heading or fieldset is to get another title. */
  onTitle: (line: number) => void;
}

export function DrawnLayout({ text, labels, isReadOnly, onChange, onLine, onTitle }: Props) {
  const words = useWords(schemaLayoutWords);
  const grid = useRef<HTMLDivElement>(null);
  const press = useStops(grid);
  const [menu, setMenu] = useState<OpenMenu>();
  const [dragged, setDragged] = useState<CellPlace>();
  const [target, setTarget] = useState<DropPlace>();
  const [said, setSaid] = useState("");
  const layout = readLayout(text);

  /** The focus stays with what was moved. */
  const follow = (focus: string) =>
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>(`[data-focus="${focus}"] button`)?.focus());
  const run = (action: LayoutAction | undefined, { name, key }: Named) => {
    const next = action?.result();
    if (!action || next === undefined) return;
    onChange(next);
    setSaid(action.isRemoval ? words.gone(name) : placeIn(readLayout(next), name, words.placeOf));
    if (!action.isRemoval) follow(key);
  };
  const menuOf = (actions: LayoutAction[], named: Named, more: MenuEntry[] = []): MenuEntry[] => {
    const [moves, removals] = [actions.filter((each) => !each.isRemoval), actions.filter((each) => each.isRemoval)];
    const entry = (action: LayoutAction) => ({
      ...{ id: action.id, label: action.label, isDisabled: action.result() === undefined },
      ...(action.shortcut && { shortcut: action.shortcut.replace("Arrow", "") }),
      ...(action.isRemoval && { tone: "danger" as const }),
      onAction: () => run(action, named),
    });
    return [...moves.map(entry), ...more, ...removals.map(entry)];
  };

  const actionsAt = (place: DropPlace) =>
    place.cell === undefined ? lineActions(words, text, place.line) : cellActions(words, text, place as CellPlace);
  const pressed = (event: KeyboardEvent) => {
    const at = placeOfEvent(event.target);
    const isReversed = getComputedStyle(event.currentTarget).direction === "rtl";
    const id = event.altKey && !isReadOnly ? actionOfKey(event.key, isReversed) : undefined;
    if (!at || id === undefined) return press(event);
    event.preventDefault();
    run(
      actionsAt(at).find((each) => each.id === id),
      at.named,
    );
  };

  const over = (event: DragEvent, place: DropPlace) => {
    if (!dragged) return;
    event.preventDefault();
    event.stopPropagation();
    if (place.line !== target?.line || place.cell !== target?.cell) setTarget(place);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const next = dragged && target ? dropCell(text, dragged, target) : undefined;
    if (next !== undefined) onChange(next);
    setDragged(undefined);
    setTarget(undefined);
  };

  const insides = insideOf(layout.lines);
  return (
    <div className={css.drawn}>
      {/* biome-ignore lint/a11y/useSemanticElements: cells span rows and columns of any number */}
      <div
        ref={grid}
        role="grid"
        aria-label={words.layout}
        aria-readonly={isReadOnly || undefined}
        tabIndex={-1}
        className={css.grid}
        style={{ "--columns": layout.columns } as CSSProperties}
        onKeyDown={pressed}
        onFocus={(event) => onLine(placeOfEvent(event.target)?.line)}
        onDrop={drop}
      >
        {layout.lines.map((line, at) => (
          <DrawnLine
            key={lineKey(line, at)}
            {...{ line, at, labels, isReadOnly, target, menuOf, setMenu, onTitle, over, text }}
            isInside={insides[at] ?? false}
            onDrag={setDragged}
            onDragEnd={() => {
              setDragged(undefined);
              setTarget(undefined);
            }}
          />
        ))}
        {dragged && (
          // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop; the menus do the same
          <div
            className={classes(css.end, target?.line === layout.lines.length && css.targeted)}
            onDragOver={(event) => over(event, { line: layout.lines.length })}
          />
        )}
      </div>
      {menu && <SharedMenu menu={menu} onClose={() => setMenu(undefined)} />}
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
    </div>
  );
}

interface Named {
  name: string;
  /** Finds it again after it was moved. */
  key: string;
}

interface LineProps extends Pick<Props, "labels" | "isReadOnly" | "onTitle" | "text"> {
  line: Line;
  at: number;
  isInside: boolean;
  target: DropPlace | undefined;
  menuOf: (actions: LayoutAction[], named: Named, more?: MenuEntry[]) => MenuEntry[];
  setMenu: (menu: OpenMenu) => void;
  over: (event: DragEvent, place: DropPlace) => void;
  onDrag: (place: CellPlace) => void;
  onDragEnd: () => void;
}

function DrawnLine(props: LineProps) {
  const { line, at, isInside, target, over } = props;
  const words = useWords(schemaLayoutWords);
  if (line.kind === "blank") return null;
  const isTargeted = target?.line === at && target.cell === undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid of boxes
    // biome-ignore lint/a11y/useFocusableInteractive: useStops makes rows without controls a stop
    <div
      role="row"
      data-row={at}
      aria-label={line.kind === "row" ? undefined : markName(line, at, words)}
      className={classes(css.row, css[line.kind], isInside && css.inside, isTargeted && css.targeted)}
      onDragOver={(event) => over(event, { line: at })}
    >
      {line.kind === "row" ? (
        line.cells.map((cell, index) => <DrawnCell key={cellKey(cell, index)} {...props} cell={cell} index={index} />)
      ) : (
        <DrawnMark {...props} line={line} />
      )}
    </div>
  );
}

function DrawnCell({ cell, index, ...props }: LineProps & { cell: Cell; index: number }) {
  const { at, labels, isReadOnly, target, menuOf, setMenu, over, onDrag, onDragEnd, text } = props;
  const words = useWords(schemaLayoutWords);
  const { name, column, columns, isBelow } = cell;
  const isEmpty = name === ".";
  const label = labels.get(name);
  const shown = isEmpty ? words.emptyCell : name;
  const named = { name: shown, key: isEmpty ? `${at}.${index}` : name };
  const menuLabel = words.actionsFor(shown);
  const side = target?.line === at ? target.cell : undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid of boxes
    // biome-ignore lint/a11y/useFocusableInteractive: its button is the stop
    <div
      role="gridcell"
      data-line={at}
      data-cell={index}
      data-named={shown}
      data-focus={isBelow ? undefined : named.key}
      draggable={!isReadOnly && !isBelow}
      style={{ gridColumn: `${column} / span ${columns}` }}
      className={classes(
        css.cell,
        isEmpty && css.emptyCell,
        isBelow && css.below,
        !isEmpty && label === undefined && css.unknown,
        side === index && css.before,
        side === index + 1 && css.after,
      )}
      onDragStart={(event) => {
        event.dataTransfer.setData("text/plain", name);
        event.dataTransfer.effectAllowed = "move";
        onDrag({ line: at, cell: index });
      }}
      onDragEnd={onDragEnd}
      onDragOver={(event) => {
        const { left, width } = event.currentTarget.getBoundingClientRect();
        const isFirstHalf = event.clientX < left + width / 2;
        const isReversed = getComputedStyle(event.currentTarget).direction === "rtl";
        over(event, { line: at, cell: isFirstHalf === isReversed ? index + 1 : index });
      }}
    >
      {isBelow ? (
        <VisuallyHidden>{words.continued(name)}</VisuallyHidden>
      ) : (
        <>
          <span className={css.names}>
            {isEmpty ? (
              <span className={css.hint}>{words.empty}</span>
            ) : (
              <span className={css.label}>{label ?? name}</span>
            )}
            {!isEmpty && label !== undefined && <code className={css.name}>{name}</code>}
            {!isEmpty && label === undefined && <Badge tone="warn">{words.unknown}</Badge>}
          </span>
          {!isReadOnly && (
            <IconButton
              label={menuLabel}
              icon={MoreHorizontal}
              isSmall
              aria-haspopup="menu"
              onClick={({ currentTarget: anchor }) =>
                setMenu({
                  ...{ anchor, label: menuLabel },
                  items: menuOf(cellActions(words, text, { line: at, cell: index }), named),
                })
              }
            />
          )}
        </>
      )}
    </div>
  );
}

type Mark = Exclude<Line, { kind: "row" } | { kind: "blank" }>;

function DrawnMark({ line, at, isReadOnly, menuOf, setMenu, onTitle, text }: LineProps & { line: Mark }) {
  const words = useWords(schemaLayoutWords);
  const name = markName(line, at, words);
  const menuLabel = words.actionsFor(name);
  const named = { name, key: markKey(line, name) };
  const hasTitle = line.kind === "heading" || line.kind === "open";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid of boxes
    // biome-ignore lint/a11y/useFocusableInteractive: its button is the stop
    <div role="gridcell" data-line={at} data-named={name} data-focus={named.key} className={css.mark}>
      <span className={css.markText}>{markText(line, words)}</span>
      {!isReadOnly && (
        <IconButton
          label={menuLabel}
          icon={MoreHorizontal}
          isSmall
          aria-haspopup="menu"
          onClick={({ currentTarget: anchor }) => {
            const title = { id: "title", label: words.changeTitle, onAction: () => onTitle(at) };
            const items = menuOf(lineActions(words, text, at), named, hasTitle ? [title] : []);
            setMenu({ anchor, label: menuLabel, items });
          }}
        />
      )}
    </div>
  );
}

type Words = (typeof schemaLayoutWords)["en"];

function markName(line: Line, at: number, words: Words): string {
  if (line.kind === "heading") return words.heading(line.title);
  if (line.kind === "open") return words.fieldset(line.legend);
  if (line.kind === "close") return words.fieldsetEnd(line.legend);
  return line.kind === "divider" ? words.divider : words.wrongLine(at + 1);
}

function markText(line: Mark, words: Words): string {
  if (line.kind === "heading") return line.title;
  if (line.kind === "open") return line.legend;
  if (line.kind === "close") return words.fieldsetEndShort(line.legend);
  return line.kind === "divider" ? "" : words.wrongLineText;
}

function markKey({ kind }: Mark, name: string): string {
  return `${kind} ${name}`.replaceAll('"', "'").replaceAll("\\", "/");
}

function cellKey({ name, column }: Cell, index: number): string {
  return name === "." ? `empty ${index}` : `${name} ${column}`;
}

function lineKey(line: Line, at: number): string {
  return line.kind === "row" ? line.cells.map(({ name }) => name).join(" ") + at : `${line.kind} ${at}`;
}

/** Whether each line is in a fieldset. */
function insideOf(lines: readonly Line[]): boolean[] {
  let isInside = false;
  return lines.map(({ kind }) => {
    const isWithin = isInside;
    if (kind === "open") isInside = true;
    if (kind === "close") isInside = false;
    return isWithin && kind !== "close";
  });
}

/** The cell or line that an element of the grid is in. */
function placeOfEvent(target: EventTarget): (DropPlace & { named: Named }) | undefined {
  const element = (target as HTMLElement).closest<HTMLElement>("[data-line]");
  if (!element) return undefined;
  const { line, cell, named = "", focus = "" } = element.dataset;
  return {
    line: Number(line),
    ...(cell !== undefined && { cell: Number(cell) }),
    named: { name: named, key: focus },
  };
}

function placeIn({ lines, columns }: Layout, name: string, say: Words["placeOf"]): string {
  const rows = lines.filter((line) => line.kind === "row");
  for (const [at, { cells }] of rows.entries()) {
    const cell = cells.find((each) => each.name === name);
    if (cell) return say(name, at + 1, cell.column, columns);
  }
  return "";
}
