// HTML of others made ready for the frame of a preview: nothing in it runs or leads away. The frame stands under the content
// security policy of the page, so that style elements need its nonce.

export function previewDocument(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const element of page.querySelectorAll("script, base, meta[http-equiv]")) element.remove();
  const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
  for (const style of page.querySelectorAll("style")) style.setAttribute("nonce", nonce);
  for (const element of page.querySelectorAll("*"))
    for (const { name } of [...element.attributes]) if (name.startsWith("on")) element.removeAttribute(name);
  const base = page.createElement("base");
  // The frame opens no window, so that a link does nothing.
  base.target = "_blank";
  page.head.prepend(base);
  return `<!doctype html>${page.documentElement.outerHTML}`;
}
