import { pathToFileURL } from 'node:url';
import type { LoaderContext } from 'webpack';

/** What a browser needs of a call, besides the kind of its access. */
const kept = ['service', 'method', 'path', 'idempotent', 'media'] as const;

type Call = Readonly<Record<string, unknown>> & { readonly access: { readonly kind: string } };

/**
 * Reduces contracts' table of calls to what browsers need to make them: descriptions, possible errors and who may call are two
 * thirds of it. It runs the module instead of reading its text.
 */
export default async function callTableLoader(this: Pick<LoaderContext<unknown>, 'resourcePath'>): Promise<string> {
  // The query makes Node load a changed file again in watch mode.
  const { routes } = (await import(`${pathToFileURL(this.resourcePath).href}?${Date.now()}`)) as {
    routes: Readonly<Record<string, Call>>;
  };
  const reduced = Object.entries(routes).map(([id, call]) => [
    id,
    {
      ...Object.fromEntries(kept.filter((field) => field in call).map((field) => [field, call[field]])),
      access: { kind: call.access.kind },
    },
  ]);
  return `export const routes = ${JSON.stringify(Object.fromEntries(reduced))};`;
}
