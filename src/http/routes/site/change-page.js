// Changes a page in place to what another document shows, so that scroll, focus and open details stay. Sent before the scripts of
// previews and of `cairn dev`, in one file with them.

/** What scripts have done to the page is gone where it differs. */
globalThis.changePage = (next) => {
  document.title = next.title;
  changeHead(next.head);
  changeAttributes(document.documentElement, next.documentElement);
  change(document.body, next.body);
};

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
