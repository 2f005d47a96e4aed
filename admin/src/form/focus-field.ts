// Puts the focus on the field at a path of the object, whatever hides it.

import { reveal } from "#fields/reveal.ts";

const controls = "input:not([type=hidden]), textarea, [role=textbox], [role=spinbutton], [role=grid] [tabindex='0']";
/** Of a field without any of these. */
const buttons = "[data-add], [role=group] button";

/** Answers false when neither the field nor anything that it lies in is shown. */
export function goToField(path: string): boolean {
  if (focusField(path) || reveal(path)) return true;
  const dot = path.lastIndexOf(".");
  return dot > 0 && goToField(path.slice(0, dot));
}

/** The first control of a field; false when the field is not shown. */
export function focusField(path: string): boolean {
  const frame = document.querySelector<HTMLElement>(`[data-property="${CSS.escape(path)}"]`);
  const control = frame?.querySelector<HTMLElement>(controls) ?? frame?.querySelector<HTMLElement>(buttons) ?? frame;
  control?.focus();
  control?.scrollIntoView({ block: "nearest" });
  return control !== null && control !== undefined;
}
