// A state in one word, never by colour alone.

import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import css from "./Badge.module.css";
import { classes } from "./classes.ts";
import { Icon } from "./Icon.tsx";

export type Tone = "neutral" | "good" | "warn" | "bad" | "info" | "accent";

export function Badge({ tone = "neutral", icon, children }: { tone?: Tone; icon?: LucideIcon; children: ReactNode }) {
  return (
    <span className={classes(css.badge, css[tone])}>
      {icon && <Icon of={icon} />}
      {children}
    </span>
  );
}
