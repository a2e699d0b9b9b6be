import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { shellPages } from '@clinic/contracts/pages';
import { gatewaySegments } from '../../gateway/src/registry/segment-claims.ts';
import { foundations, served } from '../stack/programs.ts';
import { frontEnds } from '../stack/parts.ts';
import { root } from '../stack/settings.ts';

/** What this file reads of a `remote.config.ts`. */
interface Published {
  readonly pages: readonly { readonly path: string }[];
  readonly redirects: readonly { readonly from: string }[];
}

/** Names that would be mistaken for one of our programs. */
const programs = [...foundations, served, 'gateway'];

const firstOf = (path: string): string => path.split('/')[1] ?? '';

async function pathsOfRemotes(): Promise<string[]> {
  const configs = await Promise.all(
    frontEnds
      .map((name) => join(root, name, 'remote.config.ts'))
      .filter((file) => existsSync(file))
      .map(async (file) => (await import(file)) as { readonly default: Published }),
  );
  return configs.flatMap(({ default: { pages, redirects } }) => [
    ...pages.map(({ path }) => path),
    ...redirects.map(({ from }) => from),
  ]);
}

/** Paths of all services' calls. */
async function pathsOfServices(): Promise<string[]> {
  const files = globSync('svc-*/src/contract/calls.ts', { cwd: root });
  const tables = await Promise.all(files.map(async (file) => (await import(join(root, file))) as object));
  return tables
    .flatMap((table) => Object.values(table))
    .flatMap((calls: unknown) => Object.values((calls ?? {}) as object))
    .map((call: unknown) => (call as { readonly path?: unknown } | null)?.path)
    .filter((path) => typeof path === 'string');
}

async function readTaken(): Promise<ReadonlySet<string>> {
  const pages = [...shellPages, ...(await pathsOfRemotes())];
  return new Set(
    [
      ...gatewaySegments,
      ...programs,
      ...(await pathsOfServices()).map(firstOf),
      ...pages.map(firstOf),
      // The page of a domain is below /dash.
      ...pages.filter((path) => path.startsWith('/dash/')).map((path) => path.split('/')[2] ?? ''),
    ].map((segment) => segment.toLowerCase()),
  );
}

/** First path segments that are taken, in lower case, as gateway, shell, remotes and services claim them. */
export const takenSegments: ReadonlySet<string> = await readTaken();
