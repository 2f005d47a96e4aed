// One element over the whole window. What lies beside it cannot be reached meanwhile.

import { type RefObject, useEffect, useState } from "react";

export function useFullScreen(frame: RefObject<HTMLElement | null>): [isFull: boolean, set: (isFull: boolean) => void] {
  const [isFull, setIsFull] = useState(false);
  useEffect(() => {
    if (!isFull || !frame.current) return undefined;
    const covered: Element[] = [];
    for (let at: Element = frame.current; at !== document.body && at.parentElement; at = at.parentElement) {
      for (const beside of at.parentElement.children) {
        // Layers of the page (menus, messages) lie directly in the body.
        const isOther = beside !== at && !beside.hasAttribute("inert") && at.parentElement !== document.body;
        if (isOther) covered.push(beside);
      }
    }
    for (const element of covered) element.setAttribute("inert", "");
    document.documentElement.style.overflow = "hidden";
    return () => {
      for (const element of covered) element.removeAttribute("inert");
      document.documentElement.style.overflow = "";
    };
  }, [isFull, frame]);
  return [isFull, setIsFull];
}
