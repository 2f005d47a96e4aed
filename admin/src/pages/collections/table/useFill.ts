// The height that is left of the window beneath an element's top: lists scroll inside of it, so that all around stays in view.

import { type RefObject, useLayoutEffect, useState } from "react";

const least = 320;

/** `below`: what stands beneath it. */
export function useFill(element: RefObject<HTMLElement | null>, below: number): number {
  const [height, setHeight] = useState(least);
  useLayoutEffect(() => {
    const measure = () => {
      const top = (element.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
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
  }, [element, below]);
  return height;
}
