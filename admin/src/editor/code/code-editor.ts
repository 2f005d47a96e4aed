// The code editor. It is large, so it is fetched when it is first shown.

import { type ComponentType, lazy } from "react";
import type { CodeEditorProps } from "./code-props.ts";

/** Begins to fetch it: for parts that are fetched themselves, so that neither waits for the other. */
export const loadCodeEditor = () => import("./CodeEditor.tsx");

export const CodeEditor: ComponentType<CodeEditorProps> = lazy(async () => ({
  default: (await loadCodeEditor()).CodeEditorField,
}));
