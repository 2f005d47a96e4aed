// The title of a row as a link. A plain one: the router's own costs too much where rows come and go while scrolling.

import type { MouseEvent } from "react";
import css from "./ObjectLink.module.css";

interface Props {
  id: string;
  href: string;
  title: string;
  isLarge?: boolean;
  /** In a grid the row takes the focus. */
  tabIndex?: number;
  onOpen: () => void;
}

export function ObjectLink({ id, href, title, isLarge, tabIndex, onOpen }: Props) {
  const click = (event: MouseEvent) => {
    // Another button or a key asks for a new tab or window: the browser opens it.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <a
      id={id}
      href={href}
      className={isLarge ? css.large : css.link}
      tabIndex={tabIndex}
      onClick={click}
      draggable={false}
    >
      {title}
    </a>
  );
}
