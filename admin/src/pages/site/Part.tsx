// One region of the page: its heading, what can be done, and a sentence about it.

import { type ReactNode, useId } from "react";
import css from "./site.module.css";

interface Props {
  title: string;
  text?: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function Part({ title, text, actions, children }: Props) {
  const heading = useId();
  return (
    <section className={css.part} aria-labelledby={heading}>
      <div className={css.head}>
        <h2 id={heading} className={css.title}>
          {title}
        </h2>
        {actions && <div className={css.actions}>{actions}</div>}
      </div>
      {text && <p className={css.text}>{text}</p>}
      {children}
    </section>
  );
}
