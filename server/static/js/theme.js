// Runs before the page is drawn, so that a chosen theme never flashes the other one.
(() => {
  let chosen = null;
  try {
    chosen = JSON.parse(localStorage.getItem("zhuowu.theme"));
  } catch {
    // Storage may be switched off or hold something else; the system's theme is used then.
  }
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
})();
