// The surface that content lies on: flat, with a hairline edge.

import type { ComponentProps } from "react";
import { classes } from "./classes.ts";
import css from "./Slab.module.css";

interface Props extends ComponentProps<"div"> {
  /** Without space at its edges, for tables and lists that reach them. */
  isFlush?: boolean;
  as?: "div" | "section" | "article" | "li" | "form";
}

export function Slab({ isFlush, as = "div", className, ...rest }: Props) {
  const Element = as as "div";
  return <Element {...rest} className={classes(css.slab, !isFlush && css.padded, className)} />;
}
