// Runs in previews only, after change-page.js. The admin hands over the page as it is now; what differs is changed in place, so that scroll, focus and
// open details stay. A click on a marked place tells the admin which property stands there.

const site = new URL(location.href).origin;

addEventListener("message", ({ source, origin, data }) => {
  if (source !== parent || origin !== site || data?.type !== "cairn-preview" || typeof data.html !== "string") return;
  changePage(new DOMParser().parseFromString(data.html, "text/html"));
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
