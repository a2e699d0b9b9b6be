import { writeStorage } from '@clinic/app-kit/host';

/** Where the choice is kept; `theme.js` reads it before the page is painted. */
const key = 'theme';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The visitor's choice in this browser; `system` until they make one. */
export function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Applies a theme and keeps it in this browser. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  // Without storage the theme lasts until the page is closed.
  writeStorage('localStorage', key, theme === 'system' ? undefined : theme);
}
