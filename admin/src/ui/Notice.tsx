// A message that belongs to its place on the page. A caller that shows one as an answer gives it a live region.

import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { Icon } from "./Icon.tsx";
import css from "./Notice.module.css";

interface Props {
  tone: "good" | "warn" | "bad" | "info";
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
}

const icons: Record<Props["tone"], LucideIcon> = {
  good: CircleCheck,
  warn: TriangleAlert,
  bad: CircleAlert,
  info: Info,
};

export function Notice({ tone, title, children, action }: Props) {
  return (
    <div className={classes(css.notice, css[tone])}>
      <Icon of={icons[tone]} size={20} className={css.icon} />
      <div className={css.words}>
        {title && <strong className={css.title}>{title}</strong>}
        {children && <div>{children}</div>}
      </div>
      {action && <div className={css.action}>{action}</div>}
    </div>
  );
}
