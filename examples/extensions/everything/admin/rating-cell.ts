import type { CellElement } from "cairn/extension";

export default class extends HTMLElement implements CellElement {
  cairn!: CellElement["cairn"];
  value: CellElement["value"];
  row!: CellElement["row"];

  connectedCallback(): void {
    this.textContent = "★".repeat(Number(this.value) || 0);
  }
}
