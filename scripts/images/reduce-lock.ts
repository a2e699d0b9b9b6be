type Dependencies = Readonly<Record<string, string>>;

/** The relevant part of a `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly dependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
  readonly [field: string]: unknown;
}

/** An installed package in a lock file. */
interface LockEntry {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
  readonly optionalDependencies?: Dependencies;
  readonly peerDependencies?: Dependencies;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly [field: string]: unknown;
}

/** A version 3 `package-lock.json`. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
  readonly [field: string]: unknown;
}

export interface ReduceOptions {
  readonly lock: Lock;
  readonly rootManifest: Manifest;
  /** Returns the `package.json` of a folder. */
  readonly manifestOf: (folder: string) => Manifest;
  /** Folders of the requested workspaces. */
  readonly named: readonly string[];
  /** Also the development dependencies of the named folders. */
  readonly withDevelopment: boolean;
  /**
   * What the named folders need becomes the root's own, and the folders themselves are left out, like services whose
   * contract they use: another folder that needs the same then changes nothing.
   */
  readonly merged?: boolean;
}

export interface Reduced {
  /** The named folders and those of the packages they use, sorted. */
  readonly folders: readonly string[];
  /**
   * Manifests and lock file by path, for the installation. A workspace that no other needs has a fixed version there,
   * so that a new version doesn't reinstall anything.
   */
  readonly files: Readonly<Record<string, object>>;
  /** The manifests with their real versions, for run time. */
  readonly manifests: Readonly<Record<string, object>>;
}

/** Placeholder for a version that doesn't matter. */
const anyVersion = '0.0.0';

const leftOut =
  /^(?:node_modules|dist|\.cache|coverage|test|tests|testing|bench|fixtures|test-results)$|\.test\.tsx?$|\.md$/;

/** Whether files or folders with this name never belong in an image. */
export function isLeftOut(name: string): boolean {
  return leftOut.test(name);
}

/**
 * Reduces manifests and lock file to what some workspaces need, so that `npm ci` installs only that, in the same
 * versions as for the whole repository.
 *
 * @throws Error if something needed isn't in the lock file
 */
export function reduceLock(options: ReduceOptions): Reduced {
  const { lock, rootManifest, manifestOf, named, withDevelopment, merged = false } = options;
  const { kept, folders } = keepNeeded({ lock, manifestOf, named, withDevelopment, merged });
  const sorted = [...folders].toSorted();
  // The root's own are those of `npm start` and of the tools.
  const {
    dependencies: _own,
    devDependencies: _unused,
    scripts: _commands,
    workspaces: _all,
    ...ofRoot
  } = rootManifest;
  const { dependencies: _kept, devDependencies: _locked, workspaces: _globs, ...rootEntry } = lock.packages[''] ?? {};
  const manifests = Object.fromEntries(
    sorted.map((folder): [string, Manifest] => {
      const { devDependencies, scripts: _scripts, ...rest } = manifestOf(folder);
      const develops = withDevelopment && named.includes(folder) && devDependencies !== undefined;
      return [`${folder}/package.json`, develops ? { ...rest, devDependencies } : rest];
    }),
  );
  const installed = merged ? sorted.filter((folder) => !named.includes(folder)) : sorted;
  // A release raises the repository's version, which doesn't matter here, either.
  const root = {
    version: anyVersion,
    ...(merged && {
      dependencies: mergeDependencies(
        lock,
        named.map((folder) => manifests[`${folder}/package.json`]),
      ),
    }),
    workspaces: installed,
  };
  const needed = new Set(
    Object.values(manifests).flatMap(({ dependencies, devDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies }),
    ),
  );
  const unversioned = <T extends object>(folder: string, of: T): T =>
    needed.has(manifestOf(folder).name) || !('version' in of) ? of : { ...of, version: anyVersion };
  const packages = Object.fromEntries(
    [...kept]
      .filter(([place, { link, resolved }]) => !merged || !named.includes(link ? (resolved ?? '') : place))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([place, entry]) => [place, folders.has(place) ? unversioned(place, entry) : entry]),
  );
  if (merged) refuseNested(packages, named);
  return {
    folders: sorted,
    manifests,
    files: {
      'package.json': { ...ofRoot, ...root },
      'package-lock.json': { ...lock, version: anyVersion, packages: { '': { ...rootEntry, ...root }, ...packages } },
      ...Object.fromEntries(
        installed.map((folder) => [
          `${folder}/package.json`,
          unversioned(folder, manifests[`${folder}/package.json`] ?? {}),
        ]),
      ),
    },
  };
}

/** Whether this is a link to a workspace that runs on its own: those in a folder of packages don't. */
const isPart = (entry: LockEntry | undefined): boolean =>
  entry?.link === true && entry.resolved !== undefined && !entry.resolved.includes('/');

/** Merges the dependencies of several workspaces. @throws Error if two need different versions of a package */
function mergeDependencies(lock: Lock, manifests: readonly (Manifest | undefined)[]): Dependencies {
  const all = new Map<string, string>();
  for (const manifest of manifests)
    for (const [name, version] of Object.entries({ ...manifest?.devDependencies, ...manifest?.dependencies })) {
      if (isPart(lock.packages[`node_modules/${name}`])) continue;
      const other = all.get(name);
      if (other !== undefined && other !== version)
        throw new Error(
          `${manifest?.name} needs ${name} ${version}, another front-end ${other}: all must use one version`,
        );
      all.set(name, version);
    }
  return Object.fromEntries([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A package of a folder's own can't be installed without the folder. */
function refuseNested(packages: Readonly<Record<string, LockEntry>>, named: readonly string[]): void {
  const nested = Object.keys(packages).find((place) =>
    named.some((folder) => place.startsWith(`${folder}/node_modules/`)),
  );
  if (nested !== undefined)
    throw new Error(`${nested} differs from what the other workspaces use: all must use one version`);
}

/** The lock file's entries that the named workspaces need, and the folders of the workspaces among them. */
function keepNeeded({ lock, manifestOf, named, withDevelopment, merged }: Omit<ReduceOptions, 'rootManifest'>) {
  const kept = new Map<string, LockEntry>();
  const folders = new Set<string>();

  const keep = (place: string | undefined): void => {
    const entry = place === undefined ? undefined : lock.packages[place];
    if (place === undefined || !entry || kept.has(place) || (merged && isPart(entry))) return;
    if (entry.link && entry.resolved !== undefined) {
      kept.set(place, entry);
      keepWorkspace(entry.resolved, false);
      return;
    }
    const { dev, devOptional, ...rest } = entry;
    // A development dependency elsewhere is a real dependency here, or it wouldn't be reached.
    kept.set(place, devOptional ? { ...rest, optional: true } : dev ? rest : entry);
    follow(place, entry, Object.keys({ ...entry.dependencies }));
  };
  const follow = (place: string, entry: LockEntry, needed: readonly string[]): void => {
    for (const name of needed) keep(find(lock, place, name));
    const peers = Object.keys(entry.peerDependencies ?? {}).filter(
      (name) => !entry.peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys(entry.optionalDependencies ?? {}), ...peers])
      keep(find(lock, place, name, true));
  };
  const keepWorkspace = (folder: string, develop: boolean): void => {
    if (folders.has(folder)) return;
    folders.add(folder);
    const entry = lock.packages[folder];
    if (!entry) throw new Error(`${folder} is not a workspace in the lock file`);
    const { devDependencies, ...rest } = entry;
    kept.set(folder, develop ? entry : rest);
    keep(`node_modules/${manifestOf(folder).name}`);
    follow(folder, entry, Object.keys({ ...entry.dependencies, ...(develop ? devDependencies : {}) }));
  };
  for (const folder of named) keepWorkspace(folder, withDevelopment);
  return { kept, folders };
}

/** Resolves a package like Node: nearest `node_modules` first. */
function find(lock: Lock, from: string, name: string, mayMiss = false): string | undefined {
  for (let base = from; ; base = parent(base)) {
    const place = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`;
    if (lock.packages[place]) return place;
    if (base === '') break;
  }
  if (!mayMiss) throw new Error(`${name}, which ${from} needs, is not in the lock file`);
  return undefined;
}

/** The next folder up that may have `node_modules`. */
function parent(place: string): string {
  const cut = place.lastIndexOf('/node_modules/');
  return cut >= 0 ? place.slice(0, cut) : '';
}
