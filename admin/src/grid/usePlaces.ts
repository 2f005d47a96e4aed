// Where somebody is in a table: told when it is left, and taken up again on the way back.

import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { GridProps, Place } from "./grid-types.ts";
import type { Window } from "./useWindow.ts";

interface Now {
  row: number;
  view: Window;
  /** The length of the list is known. */
  isReady: boolean;
}

/** Goes to the place where the table was left, and tells where it is left. */
export function usePlaces({ place, onLeave }: Pick<GridProps<unknown>, "place" | "onLeave">, now: Now): void {
  const latest = useRef({ onLeave, ...now });
  latest.current = { onLeave, ...now };
  const offset = place?.offset ?? 0;
  const { isReady } = now;
  useLayoutEffect(() => {
    // Only now is the list as high as the place is deep.
    if (isReady && offset > 0) latest.current.view.jump(offset);
  }, [isReady, offset]);
  useEffect(() => {
    const leave = () => {
      const { row, view, onLeave: tell } = latest.current;
      tell?.({ offset: view.offset(), row: Math.max(0, row) });
    };
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
}

/** Another question begins at the top. */
export function useBeginning(question: string, begin: () => void): void {
  const before = useRef(question);
  useLayoutEffect(() => {
    if (before.current === question) return;
    before.current = question;
    begin();
  });
}

/** On the way back the row that was left has the focus again. */
export function useReturn(place: Place | undefined, isReady: boolean, focus: () => void): void {
  const isDone = useRef(place === undefined);
  useLayoutEffect(() => {
    if (isDone.current || !isReady) return;
    isDone.current = true;
    focus();
  });
}

/**
 * While the next page is fetched the table may be hidden, which takes its focus away. Somebody who goes back before that page is
 * there finds the table again, and the focus where it was.
 */
export function useReappearance(table: RefObject<HTMLElement | null>, focus: () => void): void {
  const hadFocus = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the table appears, and ends when it disappears
  useLayoutEffect(() => {
    if (hadFocus.current) focus();
    const element = table.current;
    return () => {
      hadFocus.current = element?.contains(document.activeElement) ?? false;
    };
  }, []);
}
