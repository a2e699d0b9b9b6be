import { pathToFileURL } from 'node:url';
import type { LoaderContext } from 'webpack';

/** What a browser needs of a call, besides the kind of its access. */
const kept = ['service', 'method', 'path', 'idempotent', 'media'] as const;

type Call = Readonly<Record<string, unknown>> & { readonly access: { readonly kind: string } };

/**
 * Reduces a domain's table of calls to what browsers need to make them: descriptions, possible errors and who may call are two
 * thirds of it. It runs the module instead of reading its text.
 */
export default async function callTableLoader(this: Pick<LoaderContext<unknown>, 'resourcePath'>): Promise<string> {
  // The query makes Node load a changed file again in watch mode.
  const tables = (await import(`${pathToFileURL(this.resourcePath).href}?${Date.now()}`)) as Readonly<
    Record<string, Readonly<Record<string, Call>>>
  >;
  return Object.entries(tables)
    .map(([name, table]) => `export const ${name} = ${JSON.stringify(reduced(table))};`)
    .join('\n');
}

function reduced(table: Readonly<Record<string, Call>>): object {
  const calls = Object.entries(table).map(([id, call]) => [
    id,
    {
      ...Object.fromEntries(kept.filter((field) => field in call).map((field) => [field, call[field]])),
      access: { kind: call.access.kind },
    },
  ]);
  return Object.fromEntries(calls) as object;
}
