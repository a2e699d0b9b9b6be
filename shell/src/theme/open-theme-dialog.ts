/** Opens the choice of the theme. It loads then, in a file that pages load anyway when they are idle. */
export const openThemeDialog = (): void =>
  void import(/* webpackChunkName: "prefetch" */ './theme-dialog.tsx').then(({ showThemeDialog }) => showThemeDialog());
