import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { sessionCalls } from '@clinic/contracts/session/calls';
import type { LoaderContext } from 'webpack';

/** Calls that every page has already: svc-identity's table has them too. */
const ofTheShell = Object.keys(sessionCalls);

/** The fields of a call that a browser needs, besides whether it is public. */
const kept = ['service', 'method', 'path', 'idempotent', 'media'] as const;

/** A call of a table. */
type Call = Readonly<Record<string, unknown>> & {
  readonly access: { readonly kind: string };
  readonly forPrograms?: true;
};

type Tables = Readonly<Record<string, Readonly<Record<string, Call>>>>;

/**
 * Reduces a domain's table of calls to what browsers need to make them, without schemas, descriptions, possible errors and
 * access rules. It runs the module instead of parsing its text.
 *
 * From a domain's whole table, `calls`, it leaves out the calls in the tables beside it, `*-calls`: the remote that
 * makes them adds them (`addCalls`), so that they aren't part of every first visit.
 */
export default async function callTableLoader(this: Pick<LoaderContext<unknown>, 'resourcePath'>): Promise<string> {
  const folder = path.dirname(this.resourcePath);
  // `.ts` in the repository, `.js` in the published kit.
  const extension = path.extname(this.resourcePath);
  const ofDomain = path.basename(folder) === 'contract';
  const whole = ofDomain && path.basename(this.resourcePath, extension) === 'calls';
  const added = whole
    ? await idsOf(globSync(`*-calls${extension}`, { cwd: folder }).map((file) => path.join(folder, file)))
    : [];
  return Object.entries(await tablesOf(this.resourcePath))
    .map(
      ([name, table]) =>
        `export const ${name} = ${JSON.stringify(reduced(table, new Set(ofDomain ? [...added, ...ofTheShell] : [])))};`,
    )
    .join('\n');
}

/** The tables among what a module exports. The query makes Node load a changed file again in watch mode. */
export async function tablesOf(file: string): Promise<Tables> {
  const exported = (await import(`${pathToFileURL(file).href}?${Date.now()}`)) as Readonly<Record<string, object>>;
  return Object.fromEntries(
    Object.entries(exported).filter(([, value]) => Object.values(value).every(isCall)),
  ) as Tables;
}

const isCall = (value: unknown): boolean => typeof value === 'object' && value !== null && 'path' in value;

async function idsOf(files: readonly string[]): Promise<string[]> {
  const tables = await Promise.all(files.map(tablesOf));
  return tables.flatMap((one) => Object.values(one)).flatMap((table) => Object.keys(table));
}

function reduced(table: Readonly<Record<string, Call>>, added: ReadonlySet<string>): object {
  const calls = Object.entries(table)
    // The gateway reads the change streams, for the browser's one live line.
    .filter(([id, call]) => !call.forPrograms && call['media'] !== 'text/event-stream' && !added.has(id))
    .map(([id, call]) => [
      id,
      {
        // A request without a method is a GET.
        ...Object.fromEntries(
          kept.filter((field) => field in call && call[field] !== 'GET').map((field) => [field, call[field]]),
        ),
        ...(call.access.kind === 'everyone' && { access: { kind: 'everyone' } }),
      },
    ]);
  return Object.fromEntries(calls) as object;
}
