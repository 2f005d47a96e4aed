// Several values: a combobox that adds, and a list of what is chosen. The list is put in order by drag or by Alt with the arrow
// keys; Backspace in the empty field removes the last entry.

import { X } from "lucide-react";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  use,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { ComboBox, ComboBoxStateContext, Input } from "react-aria-components/ComboBox";
import { Group } from "react-aria-components/Group";
import { useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import { classes } from "./classes.ts";
import { Arrow, keyOf, OptionList, type SelectOption, useReach, useSteady, valueAt } from "./combobox.tsx";
import control from "./control.module.css";
import { describedBy, FieldFrame, type FieldProps, frameOf, labelId } from "./FieldFrame.tsx";
import { IconButton } from "./IconButton.tsx";
import css from "./MultiSelect.module.css";
import { moved } from "./order.ts";
import ordering from "./ordering.module.css";
import { joinParts, sortOut, splitTyped } from "./several.ts";
import { useOrdering } from "./useOrdering.ts";

export interface ChosenEntry {
  value: string;
  label: string;
  /** It can no longer be chosen: it is struck through. */
  isGone?: boolean;
  /** Page of what it stands for. */
  href?: string;
}

export interface MultiSelectProps extends FieldProps {
  chosen: readonly ChosenEntry[];
  onChange: (values: string[]) => void;
  options: readonly SelectOption[];
  placeholder?: string;
  onSearch?: (text: string) => void;
  isLoading?: boolean;
  /** Any text is a value; options are suggestions. */
  allowsCustomValue?: boolean;
  /** A value may be chosen several times. */
  allowsDoubles?: boolean;
  onBlur?: () => void;
}

export function MultiSelect(props: MultiSelectProps) {
  const { label, description, error, isRequired, isReadOnly, isDisabled } = props;
  const {
    chosen,
    onChange,
    options,
    onSearch,
    isLoading = false,
    allowsCustomValue = false,
    allowsDoubles = false,
  } = props;
  const words = useWords(uiWords);
  const own = useId();
  const id = props.id ?? own;
  const [text, setText] = useState("");
  const [double, setDouble] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const values = chosen.map(({ value }) => value);
  const isLocked = !!isReadOnly || !!isDisabled;

  const type = (next: string) => {
    setText(next);
    setDouble(undefined);
    onSearch?.(next);
  };
  /** What cannot be added stays in the field. */
  const add = (parts: readonly string[], rest = "") => {
    const { added, doubles, unknown } = sortOut(parts, { values, options, allowsCustomValue, allowsDoubles });
    if (added.length > 0) onChange([...values, ...added]);
    const kept = joinParts([...unknown, ...(added.length === 0 ? doubles.slice(0, 1) : []), rest]);
    type(kept);
    setDouble(doubles[0]);
  };
  const change = (next: string) => {
    const { parts, rest } = allowsCustomValue ? splitTyped(next) : { parts: [], rest: next };
    if (parts.length > 0) add(parts, rest);
    else type(next);
  };
  const toggle = (keys: readonly (string | number)[]) => {
    const next = keys.map(valueAt);
    const added = next.filter((value) => !values.includes(value));
    const isOffered = (value: string) => options.some((option) => option.value === value);
    // An option that is chosen again adds its value once more.
    const again = allowsDoubles
      ? [...new Set(values)].find((value) => isOffered(value) && !next.includes(value))
      : undefined;
    if (again !== undefined) {
      onChange([...values, again]);
      type("");
      return;
    }
    const left = values.filter((value) => next.includes(value) || !isOffered(value));
    if (added.length === 0 && left.length === values.length) return;
    onChange([...left, ...added]);
    type("");
  };
  const leave = () => {
    if (text.trim() !== "" && (allowsCustomValue || exactly(options, text))) add([text]);
    else type("");
    props.onBlur?.();
  };
  const paste = (event: ClipboardEvent) => {
    const { parts, rest } = splitTyped(`${text}${event.clipboardData.getData("text/plain")}`);
    if (parts.length === 0) return;
    event.preventDefault();
    add([...parts, rest]);
  };

  return (
    <FieldFrame {...frameOf(props)} htmlFor={id}>
      <ComboBox
        id={id}
        aria-labelledby={labelId(id)}
        aria-describedby={classes(
          describedBy(id, { help: description, error }),
          double !== undefined && `${id}-double`,
        )}
        selectionMode="multiple"
        inputValue={text}
        onInputChange={(next) => next !== text && change(next)}
        value={[...new Set(values)].map(keyOf)}
        onChange={(keys) => toggle(keys as (string | number)[])}
        onOpenChange={(isOpen) => isOpen && text === "" && onSearch?.("")}
        onBlur={leave}
        defaultFilter={onSearch ? () => true : undefined}
        menuTrigger="input"
        allowsEmptyCollection={!allowsCustomValue}
        allowsCustomValue
        isInvalid={!!error}
        isRequired={isRequired}
        isReadOnly={isReadOnly}
        isDisabled={isDisabled}
        validationBehavior="aria"
        className={css.frame}
      >
        <Box
          id={id}
          label={label}
          chosen={chosen}
          onChange={onChange}
          double={double}
          input={input}
          text={text}
          placeholder={chosen.length === 0 ? (props.placeholder ?? words.none) : undefined}
          isLoading={isLoading}
          isLocked={isLocked}
          takesText={allowsCustomValue}
          hasOptions={options.length > 0 || onSearch !== undefined}
          onTake={(value) => add([value])}
          onPaste={paste}
        />
        <OptionList options={options} isLoading={isLoading} />
      </ComboBox>
      {double !== undefined && (
        <div id={`${id}-double`} role="status" className={css.double}>
          {words.isDouble(chosen.find(({ value }) => value === double)?.label ?? double)}
        </div>
      )}
    </FieldFrame>
  );
}

const exactly = (options: readonly SelectOption[], text: string) =>
  options.some((option) => option.label.toLowerCase() === text.trim().toLowerCase());

interface BoxProps {
  id: string;
  label: string;
  chosen: readonly ChosenEntry[];
  onChange: (values: string[]) => void;
  double: string | undefined;
  input: RefObject<HTMLInputElement | null>;
  text: string;
  placeholder: string | undefined;
  isLoading: boolean;
  isLocked: boolean;
  takesText: boolean;
  hasOptions: boolean;
  onTake: (value: string) => void;
  onPaste: (event: ClipboardEvent) => void;
}

function Box(props: BoxProps) {
  const { chosen, onChange, input, text, isLoading, isLocked, takesText, hasOptions, onTake } = props;
  const state = use(ComboBoxStateContext);
  const list = useRef<HTMLUListElement>(null);
  useReach(input, state?.isOpen ?? false);
  useSteady(state);
  const values = chosen.map(({ value }) => value);

  const enter = (event: KeyboardEvent) => {
    const marked = state?.isOpen ? state.selectionManager.focusedKey : null;
    if (marked !== null && marked !== undefined && state?.collection.getItem(marked)) return;
    event.preventDefault();
    if (text.trim() === "") return;
    event.stopPropagation();
    if (takesText) {
      onTake(text);
      state?.close();
      return;
    }
    // While options are being fetched the ones shown belong to older words.
    const keys = isLoading || !state?.isOpen ? [] : [...state.collection.getKeys()];
    const first = keys.find((key) => state?.collection.getItem(key)?.type === "item");
    if (first !== undefined) onTake(valueAt(first));
  };
  const press = (event: KeyboardEvent) => {
    if (event.target !== input.current || isLocked) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && takesText && (event.key === "s" || event.key === "Enter") && text.trim() !== "") onTake(text);
    else if (event.key === "Enter" && !isCommand) enter(event);
    else if (event.key === "Backspace" && text === "" && values.length > 0) onChange(values.slice(0, -1));
    else if (event.key === "ArrowLeft" && !event.altKey && isAtStart(input.current))
      list.current?.querySelector<HTMLElement>("li:last-child button")?.focus();
  };
  return (
    <Group role="presentation" className={classes(control.box, css.box)} onKeyDownCapture={press}>
      {chosen.length > 0 && <Chosen {...props} list={list} />}
      <Input
        ref={input}
        className={classes(control.input, css.input)}
        placeholder={props.placeholder}
        onPaste={props.onPaste}
        onClick={() => !isLocked && hasOptions && !state?.isOpen && state?.open(null, "manual")}
      />
      {!isLocked && hasOptions && (
        <span className={control.after}>
          <Arrow input={input} />
        </span>
      )}
    </Group>
  );
}

const isAtStart = (input: HTMLInputElement | null) => input?.selectionStart === 0 && input.selectionEnd === 0;

/** One stop of the Tab key: arrows lead from entry to entry. */
function Chosen({
  label,
  chosen,
  onChange,
  double,
  input,
  isLocked,
  list,
}: BoxProps & { list: RefObject<HTMLUListElement | null> }) {
  const words = useWords(uiWords);
  const [active, setActive] = useState(0);
  const next = useRef<number>(undefined);
  const values = chosen.map(({ value }) => value);
  const order = useOrdering({
    count: chosen.length,
    direction: "lines",
    isDisabled: isLocked,
    onMove: (from, to) => {
      setActive(to);
      onChange(moved(values, from, to));
    },
  });
  const buttons = () => [...(list.current?.querySelectorAll("button") ?? [])];
  useLayoutEffect(() => {
    if (next.current === undefined) return;
    const button = buttons()[Math.min(next.current, chosen.length - 1)];
    next.current = undefined;
    button?.focus();
  });
  const remove = (at: number) => {
    if (chosen.length === 1) input.current?.focus();
    else next.current = at;
    onChange(values.filter((_, other) => other !== at));
  };
  const press = (event: KeyboardEvent, at: number) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
    const to = { Home: 0, End: chosen.length - 1 }[event.key] ?? at + (steps[event.key] ?? 0);
    if (event.key === "Delete" || event.key === "Backspace") remove(at);
    else if (to === at) return;
    else if (to >= chosen.length) input.current?.focus();
    else buttons()[to]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noRedundantRoles: lists without marks are no lists for some screen readers
    <ul ref={list} role="list" aria-label={words.chosen(label)} className={css.list}>
      {chosen.map((entry, at) => {
        const { onKeyDown, ...place } = order.entry(at);
        return (
          <li
            key={`${entry.value} ${values.slice(0, at).filter((value) => value === entry.value).length}`}
            {...place}
            className={classes(css.entry, ordering.line, entry.isGone && css.gone)}
            data-double={entry.value === double || undefined}
          >
            <span {...(isLocked ? {} : order.handle(at))} className={css.words}>
              {entry.href ? (
                <a href={entry.href} target="_blank" rel="noreferrer" draggable={false} className={css.link}>
                  {entry.label}
                </a>
              ) : (
                entry.label
              )}
            </span>
            {!isLocked && (
              <IconButton
                label={words.remove(entry.label)}
                icon={X}
                isSmall
                className={css.remove}
                tabIndex={at === Math.min(active, chosen.length - 1) ? 0 : -1}
                onFocus={() => setActive(at)}
                onKeyDown={(event) => {
                  onKeyDown(event);
                  press(event, at);
                }}
                onPress={() => remove(at)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
