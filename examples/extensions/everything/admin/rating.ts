// Edits a value of the kind "rating". The admin shows label, help and error around it.

import type { FieldElement } from "cairn/extension";

export default class extends HTMLElement implements FieldElement {
  cairn!: FieldElement["cairn"];
  #value: FieldElement["value"];
  #field: FieldElement["field"] | undefined;
  #input: HTMLInputElement | undefined;

  set value(value: FieldElement["value"]) {
    this.#value = value;
    this.#show();
  }
  get value(): FieldElement["value"] {
    return this.#value;
  }
  set field(field: FieldElement["field"]) {
    this.#field = field;
    this.#show();
  }
  get field(): FieldElement["field"] {
    return this.#field as FieldElement["field"];
  }

  connectedCallback(): void {
    const input = document.createElement("input");
    Object.assign(input, { type: "range", min: "0", max: "5", step: "1" });
    input.addEventListener("input", () => {
      const detail = { value: Number(input.value) };
      this.dispatchEvent(new CustomEvent("cairn-change", { bubbles: true, composed: true, detail }));
    });
    this.#input = input;
    this.attachShadow({ mode: "open", delegatesFocus: true }).append(input);
    this.#show();
  }

  #show(): void {
    if (!this.#input) return;
    this.#input.value = String(this.#value ?? 0);
    this.#input.disabled = this.#field?.readOnly === true;
    this.#input.setAttribute("aria-label", this.#field?.label ?? "Rating");
  }
}
