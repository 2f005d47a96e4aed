// Whether a part that scrolls must be a stop of the Tab key: without one inside, nobody could scroll it by keys.

import { type RefObject, useEffect, useState } from "react";

const stops = "a[href], button, input, select, textarea, summary, iframe, [tabindex='0'], [contenteditable=true]";

export function useScrollStop(part: RefObject<HTMLElement | null>): boolean {
  const [isStop, setIsStop] = useState(false);
  useEffect(() => {
    const element = part.current;
    if (!element) return undefined;
    const look = () => setIsStop(element.scrollHeight > element.clientHeight + 1 && !element.querySelector(stops));
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    const changes = new MutationObserver(look);
    changes.observe(element, { childList: true, subtree: true });
    return () => {
      sizes.disconnect();
      changes.disconnect();
    };
  }, [part]);
  return isStop;
}
