// Searches a quarter of a second after the last key; the focus stays where it is.

import { useEffect, useRef, useState } from "react";
import { useShortcut } from "#shell/shortcuts.ts";
import { SearchInput } from "#ui/SearchInput.tsx";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";

const pause = 250;

export function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const words = useWords(gridWords);
  const [typed, setTyped] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(value);
  // The address has changed by itself: Back, a view, a link.
  if (sent.current !== value) {
    sent.current = value;
    setTyped(value);
  }
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (typed === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = typed;
      latest.current(typed);
    }, pause);
    return () => clearTimeout(timer);
  }, [typed]);
  useShortcut("/", words.search, () => input.current?.focus());
  return (
    <SearchInput
      label={words.search}
      placeholder={words.search}
      value={typed}
      onChange={setTyped}
      inputRef={input}
      shortcut="/"
    />
  );
}
