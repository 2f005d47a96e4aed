// More about an element, on hover and focus. Screen readers get it as the description of the element.

import { cloneElement, type ReactElement } from "react";
import "./tips.ts";

interface Props {
  text: string;
  /** One element that passes on its attributes. It must be focusable if the text is found nowhere else. */
  children: ReactElement<Record<string, unknown>>;
}

export function Tooltip({ text, children }: Props) {
  return cloneElement(children, { "data-tip": text, "aria-description": text });
}
