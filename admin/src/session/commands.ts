// What the pages that are open offer to the command palette. A page registers its commands while it is shown.

import { useEffect, useRef, useSyncExternalStore } from "react";

export interface Command {
  /** One of a kind; the same id again takes the place of the first. */
  id: string;
  label: string;
  /** Heading that it stands under; "Actions" unless set. */
  group?: string;
  /** As shown: "Ctrl+S". */
  shortcut?: string;
  run: () => void;
}

let commands: readonly Command[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Command[]): void {
  commands = next;
  for (const listener of listeners) listener();
}

/** Offers a command while the calling component is shown; undefined offers none. */
export function useCommand(command: Command | undefined): void {
  const latest = useRef(command);
  useEffect(() => {
    latest.current = command;
  });
  const { id, label, group, shortcut } = command ?? {};
  useEffect(() => {
    if (id === undefined || label === undefined) return undefined;
    const offered: Command = {
      id,
      label,
      ...(group !== undefined && { group }),
      ...(shortcut !== undefined && { shortcut }),
      run: () => latest.current?.run(),
    };
    change([...commands.filter((other) => other.id !== id), offered]);
    return () => change(commands.filter((other) => other !== offered));
  }, [id, label, group, shortcut]);
}

export function useCommands(): readonly Command[] {
  return useSyncExternalStore(subscribe, () => commands);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
