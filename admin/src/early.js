// Runs before anything else, while the app itself is still on its way.

// A page that turns dark after it was light would flash.
(() => {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem("cairn:look") ?? "{}");
  } catch {
    // Storage may be closed; the system's choice is used then.
  }
  const isDark =
    kept.theme === "dark" || (kept.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  const root = document.documentElement;
  root.dataset.theme = isDark ? "dark" : "light";
  root.dataset.density = kept.density === "compact" ? "compact" : "comfortable";
})();

// What the page at this address will ask for first. Answers wait for api/client.ts, which takes each of them once.
(() => {
  const [, area, first, collection, id = ""] = location.pathname.split("/");
  if (area !== "admin" || first === "login" || first?.startsWith("-")) return;
  const wanted = ["/api/admin", "/api/auth/preferences"];
  if (first === "collections" && collection && !collection.startsWith("-")) {
    if (id === "" || id === "-new") wanted.push(`/api/forms/${collection}`);
    else if (!id.startsWith("-"))
      wanted.push(`/api/forms/${collection}?object=${id}`, `/api/collections/${collection}/${id}`);
  }
  window.cairnEarly = new Map(
    wanted.map((address) => [
      address,
      fetch(address, { headers: { accept: "application/json" } }).catch(() => undefined),
    ]),
  );
})();
