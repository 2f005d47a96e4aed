// What the pages that are open offer to the command palette. A page registers its commands while it is shown.

import { useEffect, useRef } from "react";
import { sharedValue } from "./shared-value.ts";

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

export const commands = sharedValue<readonly Command[]>([]);

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
    commands.set([...commands.get().filter((other) => other.id !== id), offered]);
    return () => commands.set(commands.get().filter((other) => other !== offered));
  }, [id, label, group, shortcut]);
}
