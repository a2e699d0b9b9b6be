/// <reference lib="dom" />
// What the modules of a served remote take for `react-refresh/runtime`.
import './refresh-global.ts';
import * as own from 'react-refresh/runtime';

/** React itself can't exchange components in a shell built for production, so the page reloads. */
const reloading = { ...own, performReactRefresh: () => location.reload() };

export const {
  register,
  createSignatureFunctionForTransform,
  isLikelyComponentType,
  getFamilyByType,
  performReactRefresh,
} = globalThis.clinicReactRefresh ?? reloading;

/** The plugin's entry calls it: the shell has done so before React was loaded, and here it would be too late. */
export const injectIntoGlobalHook = (): void => undefined;
