// Code that is only read.

import css from "./code.module.css";

/** More would be a page of its own. */
const maxText = 20_000;

export function CodeText({ text }: { text: string }) {
  return <pre className={css.code}>{text.length > maxText ? `${text.slice(0, maxText)}…` : text}</pre>;
}
