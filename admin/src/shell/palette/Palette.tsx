// The command palette: everything by its name. One combobox; the server is asked for objects only.

import type { AdminCollection, FoundObject } from "@contract/admin.ts";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components/Modal";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { isAdminPath } from "#session/own-path.ts";
import { useStart } from "#session/start.ts";
import { useShortcut } from "#shell/shortcuts.ts";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { formatAgo } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { paletteWords } from "#words/palette.ts";
import { type Choice, objectPath, useChoices } from "./choices.ts";
import { pick, readWish, splitCollection } from "./match.ts";
import styles from "./Palette.module.css";
import { useSiteChoices } from "./site-choices.ts";

/** After the last key the server is asked, in milliseconds. */
const searchDelay = 150;
const mostPerGroup = 6;

interface Section {
  name: string;
  choices: Choice[];
}

export function Palette({ onClose }: { onClose: () => void }) {
  const words = useWords(paletteWords);
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()} className={styles.overlay ?? ""}>
      <Modal className={styles.modal ?? ""}>
        <Dialog aria-label={words.title} className={styles.dialog ?? ""}>
          <Finder onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Finder({ onClose }: { onClose: () => void }) {
  const words = useWords(paletteWords);
  const id = useId();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const { sections, isSearching, hasFailed } = useSections(typed);
  const flat = sections.flatMap(({ choices }) => choices);
  const current = flat[Math.min(at, flat.length - 1)];
  const list = useRef<HTMLDivElement>(null);
  const go = useGo(onClose);
  // Not what the page would do with these keys.
  useShortcut("Ctrl+Enter", "", () => current && go(current, true));

  useEffect(() => {
    if (current) document.getElementById(domId(id, current))?.scrollIntoView({ block: "nearest" });
  }, [current, id]);

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && flat.length > 0) setAt((Math.min(at, flat.length - 1) + step + flat.length) % flat.length);
    else if (event.key === "Enter" && current) go(current, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className={styles.line}>
        <Icon of={Search} size={20} />
        <input
          className={styles.field}
          type="text"
          role="combobox"
          aria-label={words.field}
          aria-expanded={flat.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={current ? domId(id, current) : undefined}
          placeholder={words.field}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          // biome-ignore lint/a11y/noAutofocus: it was opened to type
          autoFocus
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
      </div>
      <div ref={list} id={id} role="listbox" aria-label={words.results} className={styles.list} tabIndex={-1}>
        {sections.map(({ name, choices }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
          <div key={name} role="group" aria-label={name}>
            <div className={styles.heading} aria-hidden="true">
              {name}
            </div>
            {choices.map((choice) => (
              <Row
                key={choice.id}
                id={domId(id, choice)}
                choice={choice}
                isCurrent={choice === current}
                onGo={(isNewTab) => go(choice, isNewTab)}
              />
            ))}
          </div>
        ))}
      </div>
      {flat.length === 0 && (
        <p className={styles.none}>{isSearching ? words.searching : words.noMatch(typed.trim())}</p>
      )}
      {hasFailed && <p className={styles.none}>{words.searchFailed}</p>}
      <VisuallyHidden>
        <span role="status">{isSearching ? "" : words.count(flat.length)}</span>
      </VisuallyHidden>
      <p className={styles.hint}>{words.hint}</p>
    </>
  );
}

interface RowProps {
  id: string;
  choice: Choice;
  isCurrent: boolean;
  onGo: (isNewTab: boolean) => void;
}

function Row({ id, choice, isCurrent, onGo }: RowProps) {
  const { label, detail, shortcut } = choice;
  const click = (event: MouseEvent) => onGo(event.ctrlKey || event.metaKey || event.button === 1);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the combobox's
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      className={classes(styles.row, isCurrent && styles.current)}
      onClick={click}
      onAuxClick={click}
    >
      <span className={styles.label}>{label}</span>
      {detail && <span className={styles.detail}>{detail}</span>}
      {shortcut && <Kbd keys={shortcut} />}
    </div>
  );
}

/** Goes to a page, or runs; then the palette is gone. */
function useGo(onClose: () => void): (choice: Choice, isNewTab: boolean) => void {
  const router = useRouter();
  return ({ path, run }, isNewTab) => {
    onClose();
    if (path === undefined) run?.();
    else if (isNewTab || !isAdminPath(path)) open(path, "_blank", "noopener");
    else router.history.push(path);
  };
}

interface Found {
  sections: Section[];
  isSearching: boolean;
  hasFailed: boolean;
}

function useSections(typed: string): Found {
  const words = useWords(paletteWords);
  const { collections } = useStart();
  const own = useChoices();
  const { scope, text } = readWish(typed);
  const chosen = scope === "collections" ? chosenCollection(text, collections) : undefined;
  const wanted = chosen ? splitCollection(text).words : scope === "all" ? text : "";
  const objects = useObjects(wanted, chosen);
  const site = useSiteChoices(text !== "" && scope !== "collections");
  const fit = (choices: Choice[]) => pick(choices, text, ({ label, detail = "" }) => `${label} ${detail}`);
  const few = (choices: Choice[]) => choices.slice(0, mostPerGroup);
  const groups: Section[] = [
    { name: words.recent, choices: scope === "all" ? few(fit(own.recent)) : [] },
    { name: words.objects, choices: objects.choices },
    { name: words.collections, choices: chosen ? [] : collectionsFor(scope, text, fit(own.collections)) },
    { name: words.pages, choices: scope === "all" ? fit(own.pages) : [] },
    { name: words.actions, choices: actionsFor(scope, text, fit([...own.actions, ...site.automations])) },
    { name: words.settings, choices: scope === "all" && text !== "" ? few(fit(site.settings)) : [] },
  ];
  return { ...objects, sections: groups.filter(({ choices }) => choices.length > 0) };
}

function collectionsFor(scope: string, text: string, fitting: Choice[]): Choice[] {
  if (scope === "collections") return fitting;
  return scope === "all" && text !== "" ? fitting.slice(0, mostPerGroup) : [];
}

/** Before anything is typed those of the page alone. */
function actionsFor(scope: string, text: string, fitting: Choice[]): Choice[] {
  if (scope === "actions") return fitting;
  if (scope === "collections") return [];
  return text === "" ? fitting.filter(({ id }) => id.startsWith("command ")) : fitting.slice(0, mostPerGroup);
}

function chosenCollection(text: string, collections: readonly AdminCollection[]): string | undefined {
  if (!text.includes(" ")) return undefined;
  const { name } = splitCollection(text.toLowerCase());
  return collections.find((own) => own.id.toLowerCase() === name || own.name.toLowerCase() === name)?.id;
}

function isBeginning(beginning: string, text: string): boolean {
  return beginning !== "" && text.startsWith(beginning);
}

function useObjects(text: string, collection: string | undefined): Omit<Found, "sections"> & { choices: Choice[] } {
  const { collections } = useStart();
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), searchDelay);
    return () => clearTimeout(timer);
  }, [text]);
  const search = useQuery({
    queryKey: ["search", settled, collection],
    queryFn: ({ signal }) =>
      askData<FoundObject[]>(routes.search, {
        query: { q: settled, limit: mostPerGroup + 2, collections: collection },
        signal,
      }),
    enabled: settled !== "" && text !== "",
    // While somebody types on, what was found for the beginning stays; it says nothing about another word.
    placeholderData: (found, query) => (isBeginning(String(query?.queryKey[1] ?? ""), settled) ? found : undefined),
  });
  const found = isBeginning(settled, text) ? (search.data ?? []) : [];
  return {
    choices: found.map(({ collection: of, id, title, modified }) => ({
      id: `object ${of}/${id}`,
      label: title || id,
      detail: `${collections.find((own) => own.id === of)?.name ?? of} · ${formatAgo(modified)}`,
      path: objectPath(of, id),
    })),
    isSearching: text !== "" && (settled !== text || search.isFetching),
    hasFailed: text !== "" && search.isError,
  };
}

/** Ids in the page have no spaces. */
function domId(list: string, { id }: Choice): string {
  return `${list}-${encodeURIComponent(id)}`;
}
