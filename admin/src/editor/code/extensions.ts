// What every code editor can do, whatever its language.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { type Diagnostic, lintGutter, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, type Text, type TransactionSpec } from "@codemirror/state";
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { CodeProblem } from "./code-props.ts";
import { look } from "./theme.ts";

/** Styles are put into the page with the nonce that its policy asks for. */
function nonce(): Extension {
  const value = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce;
  return value ? EditorView.cspNonce.of(value) : [];
}

/** The page saves with it. */
const pageKeys = new Set(["Mod-Enter"]);
const ownKeys = [...searchKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap];

export function baseExtensions(): Extension {
  return [
    nonce(),
    look,
    lintGutter(),
    lineNumbers(),
    foldGutter(),
    codeFolding(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    highlightSelectionMatches(),
    history(),
    drawSelection(),
    dropCursor(),
    indentOnInput(),
    indentUnit.of("  "),
    EditorState.tabSize.of(2),
    bracketMatching(),
    search({ top: true }),
    EditorView.lineWrapping,
    keymap.of(ownKeys.filter(({ key }) => key === undefined || !pageKeys.has(key))),
    keymap.of([{ key: "F8", run: nextDiagnostic }]),
  ];
}

/** Tab indents. After Esc it leaves, until another key is pressed; a second Esc belongs to what the editor stands in. */
export function tabKeys(): Extension {
  let hasEscaped = false;
  return [
    EditorView.domEventObservers({
      keydown: ({ key }, view) => {
        if (!hasEscaped || key === "Escape" || key === "Tab" || key === "Shift") return;
        hasEscaped = false;
        view.setTabFocusMode(false);
      },
      blur: (_event, view) => {
        hasEscaped = false;
        view.setTabFocusMode(false);
      },
    }),
    keymap.of([
      indentWithTab,
      {
        key: "Escape",
        stopPropagation: true,
        run: (view) => {
          if (hasEscaped) return false;
          hasEscaped = true;
          view.setTabFocusMode(true);
          return true;
        },
      },
    ]),
  ];
}

export function readOnlyState(isReadOnly: boolean): Extension {
  return isReadOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : tabKeys();
}

/** Problems at their places; one that lies behind the end of the text is shown at the end. */
export function problemsIn(state: EditorState, problems: readonly CodeProblem[]): TransactionSpec {
  return setDiagnostics(
    state,
    problems.map((problem) => diagnosticOf(state.doc, problem)),
  );
}

function diagnosticOf(doc: Text, { line, column = 1, message }: CodeProblem): Diagnostic {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const from = Math.min(found.from + Math.max(column, 1) - 1, found.to);
  return { from, to: Math.min(from + 1, found.to), message, severity: "error" };
}
