// A row of tabs and the panel of the chosen one. Arrow keys choose at once.

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { classes } from "./classes.ts";
import css from "./Tabs.module.css";

export interface TabEntry {
  id: string;
  label: string;
  /** A count, or another short word; it is not part of the name. */
  badge?: ReactNode;
  /** A dot: there is something behind it, or something is wrong there. */
  mark?: "filled" | "wrong" | undefined;
  /** What the dot means, for screen readers. */
  markText?: string | undefined;
  /** Language of the label. */
  lang?: string;
}

export interface TabsProps {
  label: string;
  tabs: readonly TabEntry[];
  selected: string;
  onSelect: (id: string) => void;
  /** The panel. */
  children: ReactNode;
  className?: string;
  /** Inside of a field. */
  isSmall?: boolean;
}

export function Tabs({ label, tabs, selected, onSelect, children, className, isSmall }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The chosen one is seen where the row is too long for the window.
    const tab = document.getElementById(`${id}-${selected}`);
    if (list.current && tab && list.current.scrollWidth > list.current.clientWidth)
      tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [id, selected]);
  const press = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === selected);
    const next = tabs[target(event, at, tabs.length)];
    if (!next) return;
    event.preventDefault();
    onSelect(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <div className={classes(css.frame, isSmall && css.small, className)}>
      <div ref={list} role="tablist" aria-label={label} className={css.list} onKeyDown={press}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            type="button"
            role="tab"
            className={css.tab}
            aria-selected={tab.id === selected}
            aria-controls={tab.id === selected ? `${id}-panel` : undefined}
            tabIndex={tab.id === selected ? 0 : -1}
            aria-description={tab.markText}
            onClick={() => onSelect(tab.id)}
          >
            <span lang={tab.lang}>{tab.label}</span>
            {tab.mark && <span className={css.dot} data-mark={tab.mark} aria-hidden="true" />}
            {tab.badge !== undefined && (
              <span className={css.badge} aria-hidden="true">
                {tab.badge}
              </span>
            )}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${selected}`} className={css.panel}>
        {children}
      </div>
    </div>
  );
}

function target({ key, currentTarget }: KeyboardEvent, at: number, count: number): number {
  const isReversed = getComputedStyle(currentTarget).direction === "rtl";
  const step = { ArrowRight: isReversed ? -1 : 1, ArrowLeft: isReversed ? 1 : -1 }[key];
  if (step) return (at + step + count) % count;
  return { Home: 0, End: count - 1 }[key] ?? -1;
}
