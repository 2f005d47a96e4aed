// Runs in previews only. The admin hands over the page as it is now; what differs is changed in place, so that scroll, focus and
// open details stay. A click on a marked place tells the admin which property stands there.

const site = new URL(location.href).origin;

addEventListener("message", ({ source, origin, data }) => {
  if (source !== parent || origin !== site || data?.type !== "cairn-preview" || typeof data.html !== "string") return;
  const next = new DOMParser().parseFromString(data.html, "text/html");
  document.title = next.title;
  changeHead(next.head);
  changeAttributes(document.documentElement, next.documentElement);
  change(document.body, next.body);
});

addEventListener(
  "click",
  (event) => {
    const place = event.target instanceof Element ? event.target.closest("[data-cairn-edit]") : null;
    if (!place || parent === window) return;
    event.preventDefault();
    parent.postMessage({ type: "cairn-edit", property: place.getAttribute("data-cairn-edit") }, site);
  },
  true,
);

/** Style sheets that are there stay, so that nothing flickers. */
function changeHead(next) {
  const styles = (head) => [...head.querySelectorAll('link[rel="stylesheet"], style')];
  const now = new Map(styles(document.head).map((style) => [style.outerHTML, style]));
  for (const style of styles(next)) {
    if (now.delete(style.outerHTML)) continue;
    document.head.append(style.cloneNode(true));
  }
  for (const style of now.values()) style.remove();
}

function change(now, next) {
  if (now.nodeType !== next.nodeType || now.nodeName !== next.nodeName) return now.replaceWith(next.cloneNode(true));
  if (now.nodeType !== Node.ELEMENT_NODE) {
    if (now.nodeValue !== next.nodeValue) now.nodeValue = next.nodeValue;
    return undefined;
  }
  if (now.isEqualNode(next)) return undefined;
  changeAttributes(now, next);
  return changeChildren(now, next);
}

/** By id where there is one, else by place. */
function changeChildren(now, next) {
  const byId = new Map([...now.children].filter(({ id }) => id !== "").map((child) => [child.id, child]));
  let at = now.firstChild;
  for (const child of next.childNodes) {
    const known = child.id ? byId.get(child.id) : undefined;
    if (known && known !== at) now.insertBefore(known, at);
    const match = known ?? at;
    if (!match) now.append(child.cloneNode(true));
    else {
      at = match.nextSibling;
      change(match, child);
    }
  }
  while (at) {
    const rest = at.nextSibling;
    at.remove();
    at = rest;
  }
}

/** What a reader has opened or typed is theirs. */
function changeAttributes(now, next) {
  const own = (name) => name === "open" || name === "value" || name === "checked";
  for (const { name } of [...now.attributes]) if (!own(name) && !next.hasAttribute(name)) now.removeAttribute(name);
  for (const { name, value } of next.attributes) {
    if (!own(name) && now.getAttribute(name) !== value) now.setAttribute(name, value);
  }
}
