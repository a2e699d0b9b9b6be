import { pathToFileURL } from 'node:url';
import type { LoaderContext } from 'webpack';

/** A call of contracts' table, with what only services, tests and the API page read. */
interface Call {
  readonly access: { readonly kind: string };
  readonly errors?: unknown;
  readonly summary?: unknown;
  readonly maxBodyBytes?: unknown;
  readonly timeoutSeconds?: unknown;
  readonly status?: unknown;
  readonly paged?: unknown;
}

/**
 * Reduces contracts' table of calls to what browsers need to make them: descriptions, possible errors and who may call are two
 * thirds of it. It runs the module instead of reading its text.
 */
export default function callTableLoader(this: LoaderContext<unknown>): void {
  const done = this.async();
  // The query makes Node load a changed file again in watch mode.
  import(`${pathToFileURL(this.resourcePath).href}?${Date.now()}`).then(
    ({ routes }: { routes: Readonly<Record<string, Call>> }) => {
      const reduced = Object.entries(routes).map(
        ([id, { errors, summary, maxBodyBytes, timeoutSeconds, status, paged, access, ...call }]) => [
          id,
          { ...call, access: { kind: access.kind } },
        ],
      );
      done(null, `export const routes = ${JSON.stringify(Object.fromEntries(reduced))};`);
    },
    (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
  );
}
