// The name of the site before anybody is signed in: the server writes it into the page.

export function siteName(): string {
  return document.querySelector<HTMLMetaElement>("meta[name=application-name]")?.content || "Cairn";
}
