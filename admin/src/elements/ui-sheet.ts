// The stylesheet that elements of extensions may adopt: its text, and one sheet for all elements of the page.

import text from "./cairn-ui.css?inline";

export const uiText: string = text;

let sheet: CSSStyleSheet | undefined;

export function uiSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
  }
  return sheet;
}
