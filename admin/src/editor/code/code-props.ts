// What the code editor takes.

import type { ReactNode } from "react";
import type { FieldProps } from "#ui/FieldFrame.tsx";
import type { CodeLanguage } from "./modes.ts";

/** A mistake at its place; both count from 1. */
export interface CodeProblem {
  line: number;
  column?: number;
  message: string;
}

export interface CodeEditorProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  language: CodeLanguage;
  /** Marked at their lines, beside what the editor itself shows. */
  problems?: readonly CodeProblem[];
  placeholder?: string;
  /** Lines shown while there is little in it. */
  rows?: number;
  /** It grows up to this height: `60vh` unless set. */
  maxHeight?: string;
  /** At the end of the line beneath the text. */
  actions?: ReactNode;
  /** Files that are dropped or pasted; without it they are passed over. */
  onFiles?: (files: File[]) => void;
}
