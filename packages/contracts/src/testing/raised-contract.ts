import { registerHooks } from 'node:module';

/** The edits of a release that raises both contract versions by one, by the end of the file's path. */
const changes: Readonly<Record<string, readonly (readonly [before: string | RegExp, after: string])[]>> = {
  '/contracts/src/remotes.ts': [[/(?<=export const contractVersion = )\d+/, 'RAISED']],
  '/contracts/src/publication.ts': [[/(?<=export const serviceContractVersion = )\d+/, 'RAISED']],
  '/contracts/src/window/remotes.ts': [
    [
      'undefined as PastRemoteContract | undefined',
      `{
        version: contractVersion - 1,
        until: '9999-12-31',
        descriptor: (published) => ({ ...published, title: published['title'] + ', adapted' }),
        module: (exposed) => ({ ...exposed, contractVersion }),
      } as PastRemoteContract | undefined`,
    ],
  ],
  '/contracts/src/window/services.ts': [
    [
      'undefined as PastServiceContract | undefined',
      `{
        version: serviceContractVersion - 1,
        until: '9999-12-31',
        publication: (published) => ({ ...published, version: published['version'] + ', adapted' }),
      } as PastServiceContract | undefined`,
    ],
  ],
};

/**
 * The source of a module as a release with the next contract versions would have it, with adapters for today's. Tests
 * run today's builds against it.
 *
 * @param file - path or URL of the module
 * @throws Error if the module no longer contains the text to replace
 */
export function raised(file: string, source: string): string {
  const own = Object.entries(changes).find(([end]) => file.endsWith(end))?.[1] ?? [];
  return own.reduce((text, [before, after]) => {
    const found = typeof before === 'string' ? text.includes(before) && before : before.exec(text)?.[0];
    if (typeof found !== 'string') throw new Error(`${file} has no ${String(before)}`);
    return text.replace(before, after === 'RAISED' ? String(Number(found) + 1) : after);
  }, source);
}

/** Makes Node load the raised contract from here on. */
export function raiseContract(): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const { source } = loaded;
      if (!url.includes('/contracts/src/') || source === undefined || source === null) return loaded;
      const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
      return { ...loaded, source: raised(url, text) };
    },
  });
}
