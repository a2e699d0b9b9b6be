// The first script of every page, run before anything is painted: the visitor's own theme (src/theme), if there is one.
try {
  const { theme } = localStorage;
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // The browser keeps nothing: the device decides.
}
