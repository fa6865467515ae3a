// Dark or light: as remembered, else as the reader has set.
const by_id = (id) => document.getElementById(id);
const root = document.documentElement;

function remembered_theme() {
  try { return localStorage.getItem("phiflex-theme"); } catch { return null; }
}
function set_theme(theme) {
  root.dataset.theme = theme;
  window.dispatchEvent(new Event("theme"));
}
set_theme(remembered_theme() || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
by_id("theme").addEventListener("click", () => {
  set_theme(root.dataset.theme === "dark" ? "light" : "dark");
  try { localStorage.setItem("phiflex-theme", root.dataset.theme); } catch { /* a page from disk may not store */ }
});
