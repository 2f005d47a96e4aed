// Where nothing is yet, or nothing matches: what it is for, and what to do first.

import type { ReactNode } from "react";
import { CairnDrawing } from "./CairnDrawing.tsx";
import css from "./EmptyState.module.css";

interface Props {
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  /** A small cairn unless set; null for none. */
  drawing?: ReactNode;
  level?: 2 | 3;
}

export function EmptyState({ title, text, action, drawing = <CairnDrawing />, level = 2 }: Props) {
  const Title = level === 2 ? "h2" : "h3";
  return (
    <div className={css.empty}>
      {drawing && <div className={css.drawing}>{drawing}</div>}
      <Title className={css.title}>{title}</Title>
      {text && <p className={css.text}>{text}</p>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  );
}
