// One of many: always a combobox that can be searched by typing. The list opens by a click, by typing and by the arrow keys; Enter
// takes the option that is marked, or the first that matches. With `onSearch` the caller finds the options.

import { Check, ChevronDown, X } from "lucide-react";
import {
  type ContextType,
  type KeyboardEvent,
  type RefObject,
  use,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import {
  ComboBox,
  ComboBoxStateContext,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
} from "react-aria-components/ComboBox";
import { Group } from "react-aria-components/Group";
import { Header } from "react-aria-components/Header";
import { useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import choices from "./choices.module.css";
import { classes } from "./classes.ts";
import control from "./control.module.css";
import { describedBy, FieldFrame, type FieldProps, frameOf, labelId } from "./FieldFrame.tsx";
import { Floating } from "./Floating.tsx";
import { Icon } from "./Icon.tsx";
import { IconButton } from "./IconButton.tsx";
import css from "./Select.module.css";

export interface SelectOption {
  value: string;
  label: string;
  /** In a second, quieter place: an id, a count. */
  detail?: string;
  /** Options with the same one stand together beneath it. */
  group?: string;
}

export interface SelectProps extends FieldProps {
  options: readonly SelectOption[];
  /** "" when nothing is chosen. A value that is not among the options is shown as it is. */
  value: string;
  onChange: (value: string) => void;
  isClearable?: boolean;
  placeholder?: string;
  onSearch?: (text: string) => void;
  isLoading?: boolean;
  /** Any text is a value; options are suggestions. */
  allowsCustomValue?: boolean;
  onBlur?: () => void;
  autoFocus?: boolean;
}

export function Select(props: SelectProps) {
  const { description, error, isRequired, isReadOnly, isDisabled } = props;
  const { value, onChange, onSearch, isClearable, isLoading = false, allowsCustomValue = false } = props;
  const words = useWords(uiWords);
  const own = useId();
  const id = props.id ?? own;
  // What is being typed; undefined while the chosen option is shown.
  const [typed, setTyped] = useState<string>();
  // The list also closes when the page scrolls; only these keys give up what is being typed.
  const settles = useRef(false);
  const options = withChosen(props.options, value, useKnown(props.options, value), allowsCustomValue);
  const chosen = options.find((option) => option.value === value);

  const choose = (next: string) => {
    setTyped(undefined);
    if (next !== value) onChange(next);
  };
  const settle = (key: string | number | null) => {
    if (key !== null && (valueAt(key) !== value || settles.current)) choose(valueAt(key));
  };
  const type = (text: string) => {
    settles.current = false;
    setTyped(text);
    onSearch?.(text);
    if (allowsCustomValue || (text === "" && isClearable && value !== "")) onChange(text);
  };
  // Leaving the field with the exact words of an option chooses it.
  const leave = () => {
    const exact = typed && options.find((option) => option.label.toLowerCase() === typed.trim().toLowerCase());
    if (exact) choose(exact.value);
    else setTyped(undefined);
    props.onBlur?.();
  };

  return (
    <FieldFrame {...frameOf(props)} htmlFor={id}>
      <ComboBox
        id={id}
        aria-labelledby={labelId(id)}
        aria-describedby={describedBy(id, { help: description, error })}
        inputValue={typed ?? chosen?.label ?? (allowsCustomValue ? value : "")}
        onInputChange={(text) => text !== (typed ?? chosen?.label ?? value) && type(text)}
        value={chosen && (typed === undefined || !allowsCustomValue) ? keyOf(chosen.value) : null}
        onChange={settle}
        onOpenChange={(isOpen) => isOpen && typed === undefined && onSearch?.("")}
        onBlur={leave}
        defaultFilter={onSearch ? () => true : undefined}
        menuTrigger="input"
        allowsEmptyCollection={!allowsCustomValue}
        allowsCustomValue={allowsCustomValue}
        isInvalid={!!error}
        isRequired={isRequired}
        isReadOnly={isReadOnly}
        isDisabled={isDisabled}
        validationBehavior="aria"
        autoFocus={props.autoFocus}
        className={css.frame}
      >
        <Box
          placeholder={props.placeholder ?? words.choose}
          isLoading={isLoading}
          isLocked={!!isReadOnly || !!isDisabled}
          takesFirst={typed !== undefined && typed !== "" && !allowsCustomValue}
          onTake={(key) => choose(valueAt(key))}
          onSettle={() => {
            settles.current = true;
          }}
          onClear={isClearable && value !== "" ? () => choose("") : undefined}
          clearLabel={words.emptyChoice}
          describedById={labelId(id)}
        />
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
      </ComboBox>
    </FieldFrame>
  );
}

/** Takes away what the library sets. */
const unset = "";

// An option may have the value "", a key may not.
const keyOf = (value: string) => `=${value}`;
const valueAt = (key: string | number) => String(key).slice(1);

function renderOption({ value, label, detail }: SelectOption) {
  return (
    <ListBoxItem key={value} id={keyOf(value)} textValue={label} className={choices.row}>
      <span className={choices.words}>{label === "" ? "\u00a0" : label}</span>
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

/** The label of the chosen value, remembered while a search shows other options. */
function useKnown(options: readonly SelectOption[], value: string): SelectOption | undefined {
  const known = useRef<SelectOption>(undefined);
  const found = options.find((option) => option.value === value);
  if (found) known.current = found;
  return known.current?.value === value ? known.current : undefined;
}

function withChosen(
  options: readonly SelectOption[],
  value: string,
  known: SelectOption | undefined,
  allowsCustomValue: boolean,
): readonly SelectOption[] {
  if (value === "" || allowsCustomValue || options.some((option) => option.value === value)) return options;
  return [...options, known ?? { value, label: value }];
}

/** The library hides the rest of the page from screen readers while the list is open. A list is no dialog: the page stays in reach. */
function useReach(input: RefObject<HTMLInputElement | null>, isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    const around = input.current?.closest("[role$=dialog]") ?? document.getElementById("app");
    around?.setAttribute("data-react-aria-top-layer", "true");
    return () => around?.removeAttribute("data-react-aria-top-layer");
  }, [input, isOpen]);
}

const deeds = ["keydown", "pointerdown"];

/** The list closes when the page scrolls. A scroll that began before it opened, by moving to the field, is no reason. */
function useSteady(state: ContextType<typeof ComboBoxStateContext>): void {
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
    const forget = () => {
      isEarly.current = false;
    };
    addEventListener("scroll", notice, true);
    // Events of earlier scrolls come before the next frame is drawn.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => removeEventListener("scroll", notice, true));
    });
    // Whatever closes the list from here on is meant.
    for (const type of deeds) addEventListener(type, forget, true);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", notice, true);
      for (const type of deeds) removeEventListener(type, forget, true);
    };
  }, [isOpen]);
}

interface BoxProps {
  placeholder: string;
  isLoading: boolean;
  isLocked: boolean;
  takesFirst: boolean;
  onTake: (key: string | number) => void;
  onSettle: () => void;
  onClear: (() => void) | undefined;
  clearLabel: string;
  describedById: string;
}

function Box({ placeholder, isLoading, isLocked, takesFirst, onTake, onSettle, onClear, ...names }: BoxProps) {
  const state = use(ComboBoxStateContext);
  const input = useRef<HTMLInputElement>(null);
  useReach(input, state?.isOpen ?? false);
  useSteady(state);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape" || event.key === "Enter") onSettle();
    if (event.key !== "Enter" || !state?.isOpen || !takesFirst) return;
    // The chosen option stays marked when the words that are typed leave it out.
    const marked = state.selectionManager.focusedKey;
    if (marked !== null && state.collection.getItem(marked)) return;
    event.preventDefault();
    event.stopPropagation();
    const first = [...state.collection.getKeys()].find((key) => state.collection.getItem(key)?.type === "item");
    // While options are being fetched the ones shown belong to older words.
    if (first === undefined || isLoading) return;
    onTake(first);
    state.close();
  };
  return (
    <Group role="presentation" className={classes(control.box, css.box)} onKeyDownCapture={press}>
      <Input
        ref={input}
        className={control.input}
        placeholder={placeholder}
        onClick={() => !isLocked && !state?.isOpen && state?.open(null, "manual")}
      />
      {!isLocked && (
        <span className={control.after}>
          {onClear && (
            <IconButton
              label={names.clearLabel}
              icon={X}
              isSmall
              aria-describedby={names.describedById}
              onPress={() => {
                onClear();
                // Not at once: a text that changes in a focused field opens the list.
                requestAnimationFrame(() => input.current?.focus());
              }}
            />
          )}
          <button
            type="button"
            className={css.arrow}
            // The arrow is for pointers: keys and screen readers open the list from the field itself.
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
        </span>
      )}
    </Group>
  );
}
