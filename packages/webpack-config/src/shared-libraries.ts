/** Names under which the shell provides libraries, where they differ from what remotes import. */
export const shareKeys: Readonly<Record<string, string>> = {
  // Remotes of earlier releases import the plain names, and get the whole libraries: with records and tables.
  '@clinic/app-kit': '@clinic/app-kit/basics',
  '@clinic/ui': '@clinic/ui/basics',
};

/**
 * Libraries that the shell provides to every remote, with the range of versions a remote accepts. They aren't
 * tree-shaken, so the list is short: router and query functions come through `@clinic/app-kit`.
 */
export const sharedLibraries: Readonly<Record<string, string | false>> = {
  react: '^19.0.0',
  'react/jsx-runtime': '^19.0.0',
  'react-dom': '^19.0.0',
  'react-hook-form': '^7.0.0',
  // Workspace packages: compatibility of shell and remote depends on the contract version, not on package versions.
  '@clinic/app-kit': false,
  '@clinic/app-kit/records': false,
  '@clinic/ui': false,
  '@clinic/ui/tables': false,
  '@clinic/ui/charts': false,
};

/** Those of which the shell preloads the file of that name for the pages that need it. */
export const lazyLibraries: readonly string[] = ['@clinic/app-kit/records'];

/**
 * What the shell imports for each shared name (`shell/src/federation/shared-libraries.ts`): the names above, and our whole
 * libraries for remotes of earlier releases.
 */
export const providedLibraries: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(sharedLibraries).map((name) => [shareKeys[name] ?? name, name])),
  '@clinic/app-kit': '@clinic/app-kit/whole',
  '@clinic/ui': '@clinic/ui/whole',
};
