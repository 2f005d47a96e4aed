// Runs before the first paint: a page that turns dark after it was light would flash.
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
