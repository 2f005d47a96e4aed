import { type ReactNode, useId } from "react";
import { classes } from "#ui/classes.ts";
import { Slab } from "#ui/Slab.tsx";
import css from "./SpecimenPage.module.css";

interface Props {
  title: string;
  children: ReactNode;
  isRow?: boolean;
  /** Two beside each other at most. */
  isWide?: boolean;
}

/** One kind of part under its heading. */
export function Group({ title, children, isRow, isWide }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={css.group}>
      <h2 id={id}>{title}</h2>
      <Slab className={isRow ? css.row : classes(css.grid, isWide && css.pairs)}>{children}</Slab>
    </section>
  );
}
