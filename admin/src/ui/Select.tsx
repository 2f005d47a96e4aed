// One of many: always a combobox that can be searched by typing. The list opens by a click, by typing and by the arrow keys; Enter
// takes the option that is marked, or the first that matches. With `onSearch` the caller finds the options.

import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, use, useId, useRef, useState } from "react";
import { ComboBox, ComboBoxStateContext, Input } from "react-aria-components/ComboBox";
import { Group } from "react-aria-components/Group";
import { useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import { classes } from "./classes.ts";
import { Arrow, keyOf, OptionList, type SelectOption, useReach, useSteady, valueAt } from "./combobox.tsx";
import control from "./control.module.css";
import { describedBy, FieldFrame, type FieldProps, frameOf, labelId } from "./FieldFrame.tsx";
import { IconButton } from "./IconButton.tsx";
import css from "./Select.module.css";

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
  /** The value can no longer be chosen: it is struck through. */
  isGone?: boolean;
  /** Inside the box, before the arrow. */
  after?: ReactNode;
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
          isGone={!!props.isGone && typed === undefined}
          after={props.after}
        />
        <OptionList options={options} isLoading={isLoading} />
      </ComboBox>
    </FieldFrame>
  );
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
  isGone: boolean;
  after: ReactNode;
}

function Box({ placeholder, isLoading, isLocked, takesFirst, onTake, onSettle, onClear, ...more }: BoxProps) {
  const state = use(ComboBoxStateContext);
  const input = useRef<HTMLInputElement>(null);
  useReach(input, state?.isOpen ?? false);
  useSteady(state);
  const open = () => !isLocked && !state?.isOpen && state?.open(null, "manual");
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
    // Chosen by the library, which closes the list; a text that is changed beside it would open the list again.
    if (!state.selectionManager.isSelected(first)) state.selectionManager.select(first);
    else {
      onTake(first);
      state.close();
    }
  };
  return (
    <Group role="presentation" className={classes(control.box, css.box)} onKeyDownCapture={press}>
      <Input
        ref={input}
        className={classes(control.input, more.isGone && css.gone)}
        placeholder={placeholder}
        onClick={open}
        // The words that stand there already, put in once more: the library hears only a change.
        onInput={(event) => event.currentTarget.value === state?.inputValue && open()}
      />
      {!isLocked && (
        <span className={control.after}>
          {more.after}
          {onClear && (
            <IconButton
              label={more.clearLabel}
              icon={X}
              isSmall
              aria-describedby={more.describedById}
              onPress={() => {
                onClear();
                // Not at once: a text that changes in a focused field opens the list.
                requestAnimationFrame(() => input.current?.focus());
              }}
            />
          )}
          <Arrow input={input} />
        </span>
      )}
    </Group>
  );
}
