// The list that `/` opens. The text keeps the focus; arrows choose, Enter inserts, Esc closes.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import choices from "#ui/choices.module.css";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { useWords } from "#words/language.ts";
import { richtextWords } from "#words/richtext.ts";
import type { OpenDialog } from "./dialogs.tsx";
import type { Engine } from "./engine.ts";
import { insertionsOf, matching, slashAt } from "./insert.ts";
import css from "./RichText.module.css";
import type { RichTextSettings } from "./toolbar-config.ts";

interface Props {
  /** Of the list. */
  id: string;
  engine: Engine;
  settings: RichTextSettings;
  /** The slash as the engine saw it last. */
  slash: { from: number; query: string } | undefined;
  onOpen: (dialog: OpenDialog) => void;
}

export function InsertMenu({ id, engine, settings, slash, onOpen }: Props) {
  const words = useWords(richtextWords);
  const all = useMemo(() => insertionsOf(settings, words, onOpen), [settings, words, onOpen]);
  const [active, setActive] = useState(0);
  /** Closed by Esc, until the sign is gone. */
  const [isClosed, setIsClosed] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const { editor } = engine;
  const found = slash ? matching(all, slash.query) : [];
  const isOpen = slash !== undefined && !isClosed && found.length > 0;
  const at = Math.min(active, found.length - 1);

  useEffect(() => {
    if (!slash) {
      setIsClosed(false);
      setActive(0);
    }
  }, [slash]);

  const insert = (index: number) => {
    const now = slashAt(editor);
    const chosen = now && matching(all, now.query)[index];
    if (!chosen) return;
    editor.view.dispatch(editor.state.tr.delete(now.from, now.from + now.query.length + 1));
    editor.commands.focus();
    chosen.run(editor);
  };

  useEffect(() => {
    engine.onMenuKey = (event) => {
      const now = isClosed ? undefined : slashAt(editor);
      const count = now ? matching(all, now.query).length : 0;
      if (count === 0) return false;
      if (event.key === "ArrowDown" || event.key === "ArrowUp")
        setActive((before) => (Math.min(before, count - 1) + (event.key === "ArrowDown" ? 1 : count - 1)) % count);
      else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) insert(Math.min(active, count - 1));
      else if (event.key === "Escape") {
        // It closes the list alone.
        event.stopPropagation();
        setIsClosed(true);
      } else return false;
      event.preventDefault();
      return true;
    };
    const option = isOpen ? `${id}-${found[at]?.id}` : undefined;
    engine.setActive(isOpen ? id : undefined, option);
  });

  useLayoutEffect(() => {
    const box = list.current;
    if (!box || !slash || !isOpen) return;
    const { left, top, bottom } = editor.view.coordsAtPos(slash.from);
    const isBelow = bottom + box.offsetHeight + 8 < innerHeight || top < box.offsetHeight;
    box.style.insetInlineStart = `${Math.max(8, Math.min(left, innerWidth - box.offsetWidth - 8))}px`;
    box.style.insetBlockStart = `${isBelow ? bottom + 4 : top - box.offsetHeight - 4}px`;
    box.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  });

  if (!isOpen) return null;
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={words.insert}
      className={classes(choices.list, css.insert)}
      tabIndex={-1}
    >
      {found.map((insertion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the text, which has the focus
        // biome-ignore lint/a11y/useFocusableInteractive: the text points at it
        <div
          key={insertion.id}
          id={`${id}-${insertion.id}`}
          role="option"
          aria-selected={index === at}
          className={choices.row}
          data-focused={index === at || undefined}
          onMouseDown={(event) => event.preventDefault()}
          onMouseEnter={() => setActive(index)}
          onClick={() => insert(index)}
        >
          <Icon of={insertion.icon} />
          <span className={choices.words}>{insertion.label}</span>
        </div>
      ))}
    </div>
  );
}
