import { type ReactNode, useId } from "react";
import { Slab } from "#ui/Slab.tsx";
import css from "./SpecimenPage.module.css";

/** One kind of part under its heading. */
export function Group({ title, children, isRow }: { title: string; children: ReactNode; isRow?: boolean }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={css.group}>
      <h2 id={id}>{title}</h2>
      <Slab className={isRow ? css.row : css.grid}>{children}</Slab>
    </section>
  );
}
