import type { FieldElement, JsonObject } from "cairn/extension";

export default class extends HTMLElement implements FieldElement {
  cairn!: FieldElement["cairn"];
  value: FieldElement["value"];
  field!: FieldElement["field"];

  connectedCallback(): void {
    const input = document.createElement("input");
    input.value = String((this.value as JsonObject | undefined)?.label ?? "");
    input.disabled = this.field.readOnly;
    input.setAttribute("aria-label", this.field.label);
    input.addEventListener("change", () => {
      const label = input.value.trim();
      // Without coordinates: the server looks them up.
      const detail = { value: label === "" ? undefined : { label } };
      this.dispatchEvent(new CustomEvent("cairn-change", { bubbles: true, composed: true, detail }));
    });
    this.attachShadow({ mode: "open", delegatesFocus: true }).append(input);
  }
}
