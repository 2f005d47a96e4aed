// One slab of the profile: a heading, what it is for, and its content.

import { type ReactNode, useId } from "react";
import { Slab } from "#ui/Slab.tsx";
import styles from "./Profile.module.css";

interface PartProps {
  title: string;
  text?: string;
  /** At the right of the heading. */
  actions?: ReactNode;
  children?: ReactNode;
}

export function Part({ title, text, actions, children }: PartProps) {
  const id = useId();
  return (
    <Slab as="section" aria-labelledby={id} className={styles.part}>
      <div className={styles.head}>
        <div>
          <h2 id={id}>{title}</h2>
          {text && <p className={styles.text}>{text}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </Slab>
  );
}
