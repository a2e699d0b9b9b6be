import type * as RefreshRuntime from 'react-refresh/runtime';

declare global {
  /** React Refresh of the shell, if it is built for development: remotes register their components with this copy. */
  // A property of the global object, which only `var` declares.
  // oxlint-disable-next-line no-var
  var clinicReactRefresh: typeof RefreshRuntime | undefined;
}
