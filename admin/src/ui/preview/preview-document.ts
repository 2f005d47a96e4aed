// HTML of others made ready for the frame of a preview: nothing in it runs or leads away. The frame stands under the content
// security policy of the page, so that style elements need its nonce.

export function previewDocument(html: string): string {
  const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
  // Before it is read: the policy holds for a document that is never shown too.
  const styled = html.replace(/<style(?=[\s>])/gi, `<style nonce="${nonce}"`);
  const page = new DOMParser().parseFromString(styled, "text/html");
  for (const element of page.querySelectorAll("script, base, meta[http-equiv]")) element.remove();
  for (const element of page.querySelectorAll("*"))
    for (const { name } of [...element.attributes]) if (name.startsWith("on")) element.removeAttribute(name);
  const base = page.createElement("base");
  // The frame opens no window, so that a link does nothing.
  base.target = "_blank";
  page.head.prepend(base);
  return `<!doctype html>${page.documentElement.outerHTML}`;
}
