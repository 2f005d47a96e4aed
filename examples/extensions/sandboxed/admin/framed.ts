// In a frame: `this.cairn.fetch` reaches the routes of the extension and its collections alone.

import type { PageElement } from "cairn/extension";

export default class extends HTMLElement implements PageElement {
  cairn!: PageElement["cairn"];
  route!: PageElement["route"];

  async connectedCallback(): Promise<void> {
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    const heading = document.createElement("h1");
    heading.textContent = "Sandboxed";
    const text = document.createElement("p");
    text.textContent = "Loading …";
    root.append(heading, text);
    const answer = await this.cairn.fetch("/api/ext/examples/sandboxed/hello");
    const { hello } = (await answer.json()) as { hello: string };
    text.textContent = `${this.cairn.user.name}: ${hello}`;
  }
}
