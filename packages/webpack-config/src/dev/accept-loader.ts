/**
 * Lets a page or slot be replaced while it runs. It exports a description, not a component, so React Refresh alone
 * would reload the page for it, and for every change outside a component.
 */
export default function acceptLoader(source: string): string {
  return `${source}
import { performReactRefresh as refreshExposed } from 'react-refresh/runtime';
if (import.meta.webpackHot) {
  import.meta.webpackHot.accept();
  // Once all modules of the update have run.
  if (import.meta.webpackHot.data) setTimeout(refreshExposed);
}
`;
}
