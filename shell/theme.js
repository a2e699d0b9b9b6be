// The first script of every page, run before anything is painted: the visitor's own theme (src/theme), if there is one.
try {
  let t = localStorage.theme;
  if (t) document.documentElement.dataset.theme = t;
} catch {}
