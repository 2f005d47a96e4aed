// The state of a form and its buttons at the foot of a small screen.

import type { ReactNode } from "react";
import css from "./SaveBar.module.css";

export function SaveBar({ children }: { children: ReactNode }) {
  return <div className={css.bar}>{children}</div>;
}
