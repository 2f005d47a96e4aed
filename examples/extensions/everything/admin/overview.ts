// The admin page. It has the session of the person who opens it: `this.cairn.fetch` reaches /api/….

import type { PageElement } from "cairn/extension";

export default class extends HTMLElement implements PageElement {
  cairn!: PageElement["cairn"];
  route!: PageElement["route"];

  async connectedCallback(): Promise<void> {
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    const heading = document.createElement("h1");
    heading.textContent = "Everything";
    const text = document.createElement("p");
    text.textContent = "Loading …";
    root.adoptedStyleSheets = [await this.cairn.styles()];
    root.append(heading, text);
    const answer = await this.cairn.fetch("/api/collections");
    const { data } = (await answer.json()) as { data: { id: string }[] };
    text.textContent = `${this.cairn.user.name}, this site has ${data.length} collections.`;
  }
}
