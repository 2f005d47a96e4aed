// The height that is left of the window beneath an element's top: lists scroll inside of it, so that all around stays in view.

import { type RefObject, useLayoutEffect, useState } from "react";

const least = 320;

/** `below`: what stands beneath it. `isShown`: it is on the page. */
export function useFill(element: RefObject<HTMLElement | null>, below: number, isShown: boolean): number {
  const [height, setHeight] = useState(least);
  useLayoutEffect(() => {
    if (!isShown) return undefined;
    const measure = () => {
      if (!element.current) return;
      const top = element.current.getBoundingClientRect().top + window.scrollY;
      setHeight(Math.max(least, Math.floor(window.innerHeight - top - below)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, [element, below, isShown]);
  return height;
}
