/** Opens the theme dialog. Its code is in a chunk that pages load anyway once they are idle. */
export const openThemeDialog = (): void =>
  void import(/* webpackChunkName: "prefetch" */ './theme-dialog.tsx').then(({ showThemeDialog }) => showThemeDialog());
