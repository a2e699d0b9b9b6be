/**
 * Libraries the shell provides to every remote, by the range of versions a remote accepts. They are never
 * tree-shaken, so the list is short: router and query functions come through the facade `@clinic/app-kit`.
 */
export const sharedLibraries: Readonly<Record<string, string | false>> = {
  react: '^19.0.0',
  'react/jsx-runtime': '^19.0.0',
  'react-dom': '^19.0.0',
  'react-hook-form': '^7.0.0',
  // Workspace packages: the contract version says whether shell and remote fit, not a package version.
  '@clinic/app-kit': false,
  '@clinic/ui': false,
  '@clinic/ui/charts': false,
};
