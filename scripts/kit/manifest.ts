// The package.json of a published package: the workspace's own, whose exports name sources, made to name what was built
// from them.

/** The relevant part of a workspace's `package.json`. */
export interface WorkspaceManifest {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly sideEffects?: boolean | readonly string[];
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

type Versions = Readonly<Record<string, string>>;

export interface PublishedParts {
  /** Packages that the built files import, without the package's own and Node's modules. */
  readonly imports: readonly string[];
  /** The repository's own development dependencies: what tests of all workspaces use. */
  readonly shared: Versions;
  /** Files and folders to publish. */
  readonly files: readonly string[];
}

/** Their state, context or classes may exist only once, so whoever installs the kit provides the copy. */
const single: ReadonlySet<string> = new Set([
  'express',
  'mongodb',
  'react',
  'react-dom',
  'react-hook-form',
  'react-router-dom',
  'zod',
]);

/** `^7.8.0` for `7.8.0`: any later version with the same first number will do. */
const orLater = (version: string): string => (/^\d/.test(version) ? `^${version}` : version);

/**
 * The manifest to publish.
 *
 * @throws Error if the built files import a package that no manifest names
 */
export function publishedManifest(manifest: WorkspaceManifest, { imports, shared, files }: PublishedParts): object {
  const { name, version, type, sideEffects, bin, dependencies = {}, devDependencies = {} } = manifest;
  const peers: Record<string, string> = {};
  const own: Record<string, string> = {};
  for (const [library, range] of Object.entries({ ...dependencies, ...manifest.peerDependencies })) {
    if (single.has(library) || manifest.peerDependencies?.[library] !== undefined) peers[library] = orLater(range);
    else own[library] = range;
  }
  // Optional peers: only test helpers import these, and their users have them.
  const optional = imports.filter((library) => !(library in own) && !(library in peers));
  for (const library of optional) {
    const range = devDependencies[library] ?? shared[library];
    if (range === undefined) throw new Error(`${name} imports ${library}, which no package.json names`);
    peers[library] = library.startsWith('@clinic/') ? range : orLater(range);
  }
  for (const [library, range] of Object.entries(devDependencies)) {
    // Declarations name the types of these.
    if (library.startsWith('@types/') && imports.includes(library.slice('@types/'.length))) own[library] = range;
  }
  return {
    name,
    version,
    license: 'UNLICENSED',
    type,
    ...(sideEffects !== undefined && { sideEffects }),
    exports: Object.fromEntries(Object.entries(manifest.exports).map(([key, target]) => [key, built(target)])),
    ...(bin && { bin: Object.fromEntries(Object.entries(bin).map(([command, file]) => [command, script(file)])) }),
    files,
    engines: { node: '>=24' },
    dependencies: sorted(own),
    peerDependencies: sorted(peers),
    peerDependenciesMeta: Object.fromEntries(optional.toSorted().map((library) => [library, { optional: true }])),
    publishConfig: { access: 'restricted' },
  };
}

const sorted = (versions: Versions): Versions =>
  Object.fromEntries(Object.entries(versions).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const inDist = (source: string): string => source.replace(/^\.\/src\//, './dist/');
const script = (source: string): string => inDist(source).replace(/\.tsx?$/, '.js');

/** What was built from an export's source. */
function built(target: WorkspaceManifest['exports'][string]): WorkspaceManifest['exports'][string] {
  if (typeof target !== 'string' || !/\.tsx?$/.test(target))
    return typeof target === 'string' ? inDist(target) : target;
  return { types: inDist(target).replace(/\.tsx?$/, '.d.ts'), default: script(target) };
}
