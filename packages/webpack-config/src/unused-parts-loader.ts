/** A part of a library that is never reached, and what stands there instead. */
interface UnusedPart {
  /** Where it stands. */
  readonly file: RegExp;
  readonly part: RegExp;
  readonly instead: string;
}

const router = /[\\/]react-router[\\/]dist[\\/]production[\\/]chunk-\w+\.mjs$/;
const entries = /[\\/]runtime-core[\\/]dist[\\/]utils[\\/]load\.js$/;
const consumed = /[\\/]webpack-bundler-runtime[\\/]dist[\\/]updateOptions\.js$/;
const sharing = /[\\/]webpack-bundler-runtime[\\/]dist[\\/]initializeSharing\.js$/;
const snapshots = /[\\/]runtime-core[\\/]dist[\\/]plugins[\\/]snapshot[\\/]SnapshotHandler\.js$/;

/**
 * What shell and remotes never reach in their libraries, which bundlers can't know: the router's support of frameworks, data
 * routers and server components; the federation runtime's of manifests, of other kinds of entries, and in remotes of
 * remotes and libraries of their own.
 */
export const unusedParts: readonly UnusedPart[] = [
  // Links prefetch in frameworks only; this is the original's answer without one.
  bodyOf(router, 'usePrefetchBehavior', 'return [false, null, {}];'),
  bodyOf(router, 'PrefetchPageLinks', 'return null;'),
  // Only data routers have state, errors of routes, and transitions.
  bodyOf(router, 'useNavigateStable', 'return null;'),
  bodyOf(router, 'useViewTransitionState', 'return false;'),
  { file: router, part: /(?<=^ {2}let dataRouterState = )dataRouterOpts\?\.state;$/m, instead: 'undefined;' },
  { file: router, part: /(?<=^ {2}let matches = )dataRouterOpts && .+(?= \? \($)/m, instead: 'false' },
  { file: router, part: /^RenderErrorBoundary\.contextType = \w+;$/m, instead: '' },
  bodyOf(snapshots, 'getManifestJson', 'throw new Error("This host reads no manifests");'),
  bodyOf(snapshots, 'loadManifestSnapshot', 'throw new Error("This host reads no manifests");'),
  bodyOf(entries, 'loadEsmEntry', 'throw new Error("Entries are scripts");'),
  bodyOf(entries, 'loadSystemJsEntry', 'throw new Error("Entries are scripts");'),
  { file: consumed, part: /^\tif \(initializeSharingData &&[^]*?^\t\}$/m, instead: '' },
  { file: sharing, part: /(?<=^\t\tconst bundlerRuntimeRemotesOptions = ).+(?=;$)/m, instead: 'undefined' },
];

/** The body of a function or method, in a file that is formatted as published. */
function bodyOf(file: RegExp, name: string, instead: string): UnusedPart {
  const part = String.raw`(?<=^([ \t]*)(?:async )?(?:function )?${name}\(.*\) \{)\n[^]*?^\1(?=\})`;
  return { file, part: new RegExp(part, 'm'), instead };
}

/** Leaves the unused parts of a library's file out of the build. */
export default function unusedPartsLoader(this: { readonly resourcePath: string }, source: string): string {
  return unusedParts
    .filter(({ file }) => file.test(this.resourcePath))
    .reduce((text, { part, instead }) => text.replace(part, () => instead), source);
}
