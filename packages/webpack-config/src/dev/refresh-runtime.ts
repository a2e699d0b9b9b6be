/// <reference lib="dom" />
// Replaces `react-refresh/runtime` in the modules of a served remote.
import './refresh-global.ts';
import * as own from 'react-refresh/runtime';

/** React can't replace components in a shell built for production, so the page reloads. */
const reloading = { ...own, performReactRefresh: () => location.reload() };

export const {
  register,
  createSignatureFunctionForTransform,
  isLikelyComponentType,
  getFamilyByType,
  performReactRefresh,
} = globalThis.clinicReactRefresh ?? reloading;

/** Called by the plugin's entry; the shell already did it before React was loaded, here it would be too late. */
export const injectIntoGlobalHook = (): void => undefined;
