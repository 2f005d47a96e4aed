// Which rows of a long list are drawn: those in sight and a few around them. All rows have one height.

import { type RefObject, useCallback, useEffect, useState } from "react";

const around = 8;
/** The head of the list stays in sight, over the rows. */
const headHeight = 36;

export function useRowWindow(scroller: RefObject<HTMLElement | null>, count: number, height: number) {
  const [view, setView] = useState({ top: 0, size: 400 });
  const look = useCallback(() => {
    const element = scroller.current;
    if (element) setView({ top: element.scrollTop, size: element.clientHeight });
  }, [scroller]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const watching = new ResizeObserver(look);
    watching.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      watching.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [scroller, look]);
  const first = Math.max(0, Math.floor(view.top / height) - around);
  const last = Math.min(count, Math.ceil((view.top + view.size) / height) + around);
  const show = useCallback(
    (at: number) => {
      const element = scroller.current;
      if (!element) return;
      if (at * height < element.scrollTop) element.scrollTop = at * height;
      else if (headHeight + (at + 1) * height > element.scrollTop + element.clientHeight)
        element.scrollTop = headHeight + (at + 1) * height - element.clientHeight;
    },
    [scroller, height],
  );
  return { first, last: Math.max(first, last), show };
}
