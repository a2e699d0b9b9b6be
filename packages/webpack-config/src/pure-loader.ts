/**
 * Marks top-level calls of a library that have no effect, so that unused components are left out of the build: bundlers
 * can't know that `forwardRef`, `memo` and `createContext` have none. Names for React's developer tools would keep
 * them, too.
 */
export default function pureLoader(source: string): string {
  return source
    .replaceAll(/^\w+\.displayName = "[^"]*";$/gm, '')
    .replaceAll(
      /^((?:var|let|const) \w+ = )(?=\w+\.(?:memo|forwardRef|createContext|createElement)\()/gm,
      '$1/*#__PURE__*/ ',
    );
}
