// The same rows as cards: lines of two rows on narrow screens, or tiles with their image first. A list of which only what is in
// view is drawn.

import { Ellipsis } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { Checkbox } from "#ui/Checkbox.tsx";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./CardList.module.css";
import type { GridProps } from "./grid-types.ts";
import { type OpenMenu, SharedMenu } from "./SharedMenu.tsx";
import { extend, isSelected, toggle } from "./selection.ts";
import { useBeginning, usePlaces, useReturn } from "./usePlaces.ts";
import { useWindow } from "./useWindow.ts";

type Shared<R> = Pick<
  GridProps<R>,
  | "label"
  | "question"
  | "total"
  | "rowAt"
  | "idOf"
  | "nameOf"
  | "markOf"
  | "isStale"
  | "onRange"
  | "selecting"
  | "loadedIds"
  | "actionsOf"
  | "place"
  | "onLeave"
>;

interface Props<R> extends Shared<R> {
  look: "lines" | "tiles";
  /** `titleId` belongs to the element that names the card, a link. */
  render: (row: R, titleId: string) => ReactNode;
}

const sizes = { lines: 84, tiles: 244 };
const leastTile = 150;
const widestTile = 240;
const placeholders = 6;

export function CardList<R>(props: Props<R>) {
  const { label, look, total, rowAt, onRange } = props;
  const words = useWords(gridWords);
  const listId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const lanes = useLanes(scroller, look);
  const size = sizes[look];
  const count = total ?? placeholders;
  const [focused, setFocused] = useState(props.place?.row ?? 0);
  const [menu, setMenu] = useState<OpenMenu>();
  const isFocusDue = useRef(false);
  const view = useWindow({
    scroller,
    count: Math.ceil(count / lanes),
    size,
    kept: Math.floor(focused / lanes),
    initialOffset: props.place?.offset ?? 0,
    onRange: ({ first, last }) => onRange({ first: first * lanes, last: (last + 1) * lanes - 1 }),
  });
  usePlaces(props, { row: focused, view, isReady: total !== undefined });
  useBeginning(props.question, () => {
    view.jump(0);
    setFocused(0);
  });
  useReturn(props.place, total !== undefined, () => {
    isFocusDue.current = true;
  });
  useLayoutEffect(() => {
    const link = isFocusDue.current && list.current?.querySelector<HTMLElement>(`[data-row="${focused}"] a`);
    if (!link) return;
    isFocusDue.current = false;
    link.focus({ preventScroll: true });
  });
  const shown = view.items.flatMap(({ index }) =>
    Array.from({ length: Math.min(lanes, count - index * lanes) }, (_, lane) => index * lanes + lane),
  );
  return (
    <div
      ref={scroller}
      className={classes(css.scroller, look === "lines" ? css.slab : css.open, props.isStale && css.stale)}
    >
      <ul
        ref={list}
        // biome-ignore lint/a11y/noRedundantRoles: Safari forgets it for a list without bullets
        role="list"
        aria-label={label}
        aria-busy={props.isStale || total === undefined}
        className={css.list}
        style={{
          blockSize: view.height,
          paddingBlockStart: view.start,
          gridTemplateColumns: `repeat(${lanes}, minmax(0, 1fr))`,
          gridAutoRows: size,
        }}
        onFocus={(event) => {
          const item = (event.target as HTMLElement).closest<HTMLElement>("[data-row]");
          if (item) setFocused(Number(item.dataset.row));
        }}
      >
        {shown.map((index) => (
          <Card
            key={index}
            {...props}
            index={index}
            row={rowAt(index)}
            titleId={`${listId}-${index}`}
            onMenu={(anchor, row) =>
              setMenu({ anchor, label: words.actionsFor(props.nameOf(row)), items: props.actionsOf?.(row) ?? [] })
            }
          />
        ))}
      </ul>
      {menu && <SharedMenu menu={menu} onClose={() => setMenu(undefined)} />}
    </div>
  );
}

interface CardProps<R> extends Props<R> {
  index: number;
  row: R | undefined;
  titleId: string;
  onMenu: (anchor: HTMLElement, row: R) => void;
}

function Card<R>(props: CardProps<R>) {
  const { index, row, titleId, look, total, idOf, nameOf, markOf, selecting, render, onMenu } = props;
  const words = useWords(gridWords);
  const isRange = useRef(false);
  if (row === undefined)
    return (
      <li className={css.item} data-row={index} aria-label={words.loadingRow}>
        <div className={classes(css.card, css[look])}>
          <span className={css.skeleton} />
        </div>
      </li>
    );
  const id = idOf(row);
  const name = nameOf(row);
  const isChosen = selecting !== undefined && isSelected(selecting.selection, id);
  const choose = () => {
    if (!selecting) return;
    const idAt = (at: number) => {
      const found = props.rowAt(at);
      return found === undefined ? undefined : idOf(found);
    };
    const { selection, onSelection } = selecting;
    const loaded = props.loadedIds ?? (() => []);
    onSelection(isRange.current ? extend(selection, index, idAt) : toggle(selection, index, id, loaded));
  };
  const mark = markOf?.(row);
  return (
    <li
      className={css.item}
      data-row={index}
      data-id={id}
      aria-labelledby={titleId}
      aria-setsize={total}
      aria-posinset={index + 1}
    >
      <div className={classes(css.card, css[look], isChosen && css.chosen, mark && css[mark])}>
        {selecting && (
          <span
            className={css.box}
            onClickCapture={(event) => {
              isRange.current = event.shiftKey;
            }}
          >
            <Checkbox label={words.select(name)} isLabelHidden isSelected={isChosen} onChange={choose} />
          </span>
        )}
        {render(row, titleId)}
        {props.actionsOf && (
          <button
            type="button"
            className={css.menu}
            aria-label={words.actionsFor(name)}
            aria-haspopup="menu"
            onClick={(event) => onMenu(event.currentTarget, row)}
          >
            <Icon of={Ellipsis} />
          </button>
        )}
      </div>
    </li>
  );
}

/** How many tiles stand beside each other. */
function useLanes(scroller: React.RefObject<HTMLElement | null>, look: "lines" | "tiles"): number {
  const [lanes, setLanes] = useState(1);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => {
      const most = Math.max(1, Math.floor(element.clientWidth / leastTile));
      setLanes(look === "lines" ? 1 : Math.min(most, Math.max(2, Math.ceil(element.clientWidth / widestTile))));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, look]);
  return lanes;
}
