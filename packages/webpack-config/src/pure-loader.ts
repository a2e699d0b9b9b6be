/**
 * Makes the router smaller. It marks top-level calls that have no effect, so that unused components are left out of the build:
 * bundlers can't know that `forwardRef`, `memo` and `createContext` have none; names for React's developer tools would keep them,
 * too. And it leaves out what only a data router needs, which the shell isn't (`shell/src/routing/navigation.ts`). Together 5.4 kB
 * of each first visit.
 */
export default function pureLoader(source: string): string {
  return source
    .replaceAll(/^\w+\.displayName = "[^"]*";$/gm, '')
    .replaceAll(
      /^((?:var|let|const) \w+ = )(?=\w+\.(?:memo|forwardRef|createContext|createElement)\()/gm,
      '$1/*#__PURE__*/ ',
    )
    .replace('let dataRouterState = dataRouterOpts?.state;', 'const dataRouterState = undefined;')
    .replace('isDataRoute ? useNavigateStable() : useNavigateUnstable()', 'useNavigateUnstable()')
    .replace(/^RenderErrorBoundary\.contextType = \w+;$/m, '');
}
