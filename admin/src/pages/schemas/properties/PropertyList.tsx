// The properties in their order, then those that come from parents. One stop of the Tab key: arrow keys choose, Alt with the arrow
// keys moves.

import type { PropertyDefinition } from "@contract/schemas.ts";
import { humanise } from "@rules/labels.ts";
import { CopyPlus, CornerDownRight, Ellipsis, GripVertical, Trash2 } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { useDraft, useDraftStore } from "#pages/schemas/draft.ts";
import { useSchemaScope } from "#pages/schemas/editor-context.ts";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu, type MenuEntry } from "#ui/Menu.tsx";
import { moveActions } from "#ui/moves.ts";
import ordering from "#ui/ordering.module.css";
import { toast } from "#ui/toast.ts";
import { useOrdering } from "#ui/useOrdering.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { uiWords } from "#words/ui.ts";
import { duplicateProperty, freeName, isRequiredIn, kindOf, moveProperty, removeProperty } from "./edit.ts";
import { type Inherited, sourceOf, titleOf } from "./inherited.ts";
import css from "./properties.module.css";

export function PropertyList({ inherited }: { inherited: readonly Inherited[] }) {
  const words = useWords(schemasWords);
  const ofUi = useWords(uiWords);
  const store = useDraftStore();
  const record = useDraft();
  const { isReadOnly, selected, onSelect, parents } = useSchemaScope();
  const list = useRef<HTMLUListElement>(null);
  const entries = Object.entries(record.properties);
  const names = [...entries.map(([name]) => name), ...inherited.map(({ name }) => name)];
  const stop = names.includes(selected) ? selected : names[0];

  const move = (from: number, to: number) => store.change("order", (before) => moveProperty(before, from, to));
  const order = useOrdering({ count: entries.length, direction: "column", onMove: move, isDisabled: isReadOnly });
  const remove = (name: string) => {
    const at = names.indexOf(name);
    store.change(`remove ${name}`, (before) => removeProperty(before, name));
    onSelect(names[at + 1] ?? names[at - 1] ?? "");
    toast.good(words.removed(name));
  };
  const duplicate = (name: string) => {
    const copy = freeName((taken) => names.includes(taken), name);
    store.change(`add ${copy}`, (before) => duplicateProperty(before, name, copy));
    onSelect(copy);
  };
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isMenu = (event.target as HTMLElement).closest("[data-choice]") === null;
    const at = names.indexOf(stop ?? "");
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: names.length - 1 }[event.key];
    const name = to === undefined || isMenu ? undefined : names[to];
    if (name === undefined) return;
    event.preventDefault();
    onSelect(name);
    list.current?.querySelector<HTMLElement>(`[data-choice="${CSS.escape(name)}"]`)?.focus();
  };
  const show = (name: string) => {
    onSelect(name);
    // Where the property stands beneath the list, it comes into view.
    if (matchMedia("(max-width: 899px)").matches)
      requestAnimationFrame(() => document.getElementById("schema-property")?.scrollIntoView({ block: "start" }));
  };
  const actions = (name: string, at: number): MenuEntry[] => [
    { section: "", items: moveActions(ofUi, at, entries.length, move) },
    {
      section: "",
      items: [
        { id: "copy", label: words.duplicateProperty, icon: CopyPlus, onAction: () => duplicate(name) },
        { id: "remove", label: words.remove, icon: Trash2, tone: "danger", onAction: () => remove(name) },
      ],
    },
  ];
  const marks = (name: string, definition: PropertyDefinition) => (
    <Marks
      isRequired={isRequiredIn(record, name) || parents.some((parent) => parent.required.includes(name))}
      isIndexed={record.index.includes(name) || parents.some((parent) => parent.index.includes(name))}
      isUnique={definition.unique === true}
    />
  );
  return (
    <ul ref={list} className={css.list} aria-label={words.properties} onKeyDown={press}>
      {entries.map(([name, definition], at) => (
        <li
          key={name}
          {...order.entry(at)}
          className={classes(css.item, ordering.column)}
          aria-label={name}
          data-selected={name === selected || undefined}
        >
          {!isReadOnly && (
            <span {...order.handle(at)} className={ordering.grip} aria-hidden="true">
              <Icon of={GripVertical} />
            </span>
          )}
          <button
            type="button"
            className={css.choice}
            data-choice={name}
            aria-current={name === selected || undefined}
            aria-keyshortcuts={isReadOnly ? undefined : "Alt+ArrowUp Alt+ArrowDown"}
            tabIndex={name === stop ? 0 : -1}
            onClick={() => show(name)}
          >
            <Names name={name} definition={definition} />
            {sourceOf(name, parents) && <Icon of={CornerDownRight} className={css.quiet} />}
            {marks(name, definition)}
          </button>
          {!isReadOnly && (
            <Menu
              button={
                <IconButton
                  label={words.actionsForProperty(name)}
                  icon={Ellipsis}
                  isSmall
                  tabIndex={name === stop ? 0 : -1}
                />
              }
              items={actions(name, at)}
              placement="bottom end"
            />
          )}
        </li>
      ))}
      {inherited.map(({ name, definition, parent }) => (
        <li key={name} className={css.item} aria-label={name} data-selected={name === selected || undefined}>
          <Icon of={CornerDownRight} className={css.inheritedMark} />
          <button
            type="button"
            className={css.choice}
            data-choice={name}
            aria-current={name === selected || undefined}
            tabIndex={name === stop ? 0 : -1}
            onClick={() => show(name)}
          >
            <Names name={name} definition={definition} origin={words.fromParent(titleOf(parent))} />
            {marks(name, definition)}
          </button>
        </li>
      ))}
      {names.length === 0 && <li className={css.empty}>{words.noPropertiesText}</li>}
    </ul>
  );
}

interface NamesProps {
  name: string;
  definition: PropertyDefinition;
  origin?: string;
}

function Names({ name, definition, origin }: NamesProps) {
  return (
    <span className={css.names}>
      <span className={css.nameLine}>
        <span className={css.name}>{name}</span>
        <span className={css.kind}>{kindOf(name, definition)}</span>
      </span>
      <span className={css.label}>{origin ?? (definition.label || humanise(name))}</span>
    </span>
  );
}

function Marks({ isRequired, isIndexed, isUnique }: { isRequired: boolean; isIndexed: boolean; isUnique: boolean }) {
  const words = useWords(schemasWords);
  const marks = [isRequired && words.requiredMark, isIndexed && words.indexedMark, isUnique && words.uniqueMark].filter(
    (mark) => mark !== false,
  );
  return (
    <span className={css.marks}>
      {marks.map((mark) => (
        <span key={mark} className={css.mark} title={mark}>
          <span aria-hidden="true">{mark.charAt(0)}</span>
          <VisuallyHidden>{mark}</VisuallyHidden>
        </span>
      ))}
    </span>
  );
}
