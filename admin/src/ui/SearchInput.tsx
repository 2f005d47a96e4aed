// Searches while typing. Esc empties it.

import { Search, X } from "lucide-react";
import type { KeyboardEvent } from "react";
import { useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import { IconButton } from "./IconButton.tsx";
import { Kbd } from "./Kbd.tsx";
import css from "./SearchInput.module.css";
import { TextInput, type TextInputProps } from "./TextInput.tsx";

export interface SearchInputProps extends Omit<TextInputProps, "type" | "after" | "icon"> {
  /** The key that leads here, shown while it is empty. */
  shortcut?: string;
}

export function SearchInput({ shortcut, onKeyDown, ...rest }: SearchInputProps) {
  const words = useWords(uiWords);
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event);
    if (event.key !== "Escape" || event.defaultPrevented || !rest.value) return;
    // Only the text goes: a dialog around it stays.
    event.preventDefault();
    event.stopPropagation();
    rest.onChange("");
  };
  const empty = (
    <IconButton
      label={words.emptyText}
      icon={X}
      isSmall
      onClick={(event) => {
        rest.onChange("");
        event.currentTarget.closest("div")?.querySelector("input")?.focus();
      }}
    />
  );
  return (
    <TextInput
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="search"
      {...rest}
      isLabelHidden={rest.isLabelHidden ?? true}
      type="search"
      icon={Search}
      inputClass={css.search}
      onKeyDown={press}
      after={rest.value ? empty : shortcut && <Kbd keys={shortcut} />}
    />
  );
}
