// What comboboxes share: their options, the list of these, and the arrow that opens it.

import { Check, ChevronDown } from "lucide-react";
import { type ContextType, type RefObject, use, useLayoutEffect, useRef } from "react";
import { ComboBoxStateContext, ListBox, ListBoxItem, ListBoxSection } from "react-aria-components/ComboBox";
import { Header } from "react-aria-components/Header";
import { Text } from "react-aria-components/Text";
import { useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import choices from "./choices.module.css";
import css from "./combobox.module.css";
import { Floating } from "./Floating.tsx";
import { Icon } from "./Icon.tsx";

export interface SelectOption {
  value: string;
  label: string;
  /** In a second, quieter place: an id, a count. */
  detail?: string;
  /** On a second line; it is a description, not a part of the name. */
  help?: string;
  /** Options with the same one stand together beneath it. */
  group?: string;
}

/** Takes away what the library sets. */
const unset = "";

// An option may have the value "", a key may not.
export const keyOf = (value: string) => `=${value}`;
export const valueAt = (key: string | number) => String(key).slice(1);

function renderOption({ value, label, detail, help }: SelectOption) {
  return (
    <ListBoxItem key={value} id={keyOf(value)} textValue={label} className={choices.row}>
      {help === undefined ? (
        <span className={choices.words}>{label === "" ? "\u00a0" : label}</span>
      ) : (
        <span className={choices.words}>
          <Text slot="label">{label}</Text>
          <Text slot="description" className={choices.help}>
            {help}
          </Text>
        </span>
      )}
      {detail && <span className={choices.detail}>{detail}</span>}
      <Icon of={Check} className={choices.tick} />
    </ListBoxItem>
  );
}

/** In the order of first appearance; options without a group come first. */
function sections(options: readonly SelectOption[]): [group: string, options: SelectOption[]][] {
  const found = Map.groupBy(options, ({ group = "" }) => group);
  return [...found].sort(([one], [other]) => Number(one !== "") - Number(other !== ""));
}

export function OptionList({ options, isLoading }: { options: readonly SelectOption[]; isLoading: boolean }) {
  const words = useWords(uiWords);
  return (
    <Floating>
      <ListBox
        className={choices.list}
        // Not by the field's label: that names the field alone.
        aria-label={words.choices}
        aria-labelledby={unset}
        renderEmptyState={() => <div className={choices.none}>{isLoading ? words.searching : words.noMatch}</div>}
      >
        {sections(options).map(([group, inside]) =>
          group === "" ? (
            inside.map(renderOption)
          ) : (
            <ListBoxSection key={group} id={`group:${group}`} className={choices.section}>
              <Header className={choices.heading}>{group}</Header>
              {inside.map(renderOption)}
            </ListBoxSection>
          ),
        )}
      </ListBox>
    </Floating>
  );
}

/** The arrow is for pointers: keys and screen readers open the list from the field itself. */
export function Arrow({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const state = use(ComboBoxStateContext);
  return (
    <button
      type="button"
      className={css.arrow}
      tabIndex={-1}
      aria-hidden="true"
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        input.current?.focus();
        state?.toggle(null, "manual");
      }}
    >
      <Icon of={ChevronDown} />
    </button>
  );
}

/** The library hides the rest of the page from screen readers while the list is open. A list is no dialog: the page stays in reach. */
export function useReach(input: RefObject<HTMLInputElement | null>, isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    const around = input.current?.closest("[role$=dialog]") ?? document.getElementById("app");
    around?.setAttribute("data-react-aria-top-layer", "true");
    return () => around?.removeAttribute("data-react-aria-top-layer");
  }, [input, isOpen]);
}

const deeds = ["keydown", "pointerdown"];
const closingKeys = ["Enter", "Escape", "Tab"];

/** The list closes when the page scrolls. A scroll that began before it opened, by moving to the field, is no reason. */
export function useSteady(state: ContextType<typeof ComboBoxStateContext>): void {
  const isOpen = state?.isOpen ?? false;
  const isEarly = useRef(false);
  const current = useRef(state);
  current.current = state;
  useLayoutEffect(() => {
    if (!isOpen) {
      if (isEarly.current) current.current?.open(null, "manual");
      isEarly.current = false;
      return;
    }
    const notice = () => {
      isEarly.current = true;
    };
    const ignore = () => removeEventListener("scroll", notice, true);
    const forget = (event: Event) => {
      isEarly.current = false;
      // The list closes a moment later, and its own scrolling may be heard before that.
      if (!(event instanceof KeyboardEvent) || closingKeys.includes(event.key)) ignore();
    };
    addEventListener("scroll", notice, true);
    // Events of earlier scrolls come before the next frame is drawn.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(ignore);
    });
    // Whatever closes the list from here on is meant.
    for (const type of deeds) addEventListener(type, forget, true);
    return () => {
      cancelAnimationFrame(frame);
      ignore();
      for (const type of deeds) removeEventListener(type, forget, true);
    };
  }, [isOpen]);
}
