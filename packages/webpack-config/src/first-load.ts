import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RemoteDescriptor } from '@clinic/contracts';

/** Budgets of an anonymous first visit, in bytes after gzip (design section 8); a kilobyte is 1024 bytes. */
export const budgets = { scripts: 145 * 1024, styles: 30 * 1024 } as const;

export interface FirstLoad {
  /** Size of each file after gzip, in bytes. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly scripts: number;
  readonly styles: number;
}

/**
 * What a browser loads for the first page it opens, read from the builds: the shell, and the remote's entry, module and
 * page.
 *
 * @param root folder of the repository, with everything built
 * @param remote name of the remote
 * @param page route path of the page
 */
export function measureFirstLoad(root: string, remote: string, page: string): FirstLoad {
  const html = readFileSync(path.join(root, 'shell/dist/index.html'), 'utf8');
  const descriptor = JSON.parse(readFileSync(path.join(root, remote, 'dist/remote.json'), 'utf8')) as RemoteDescriptor;
  const ofShell = [...html.matchAll(/<(?:script|link) [^>]*(?:src|href)="\/shell\/([^"]+\.(?:js|css))"[^>]*>/g)]
    .filter(([tag]) => !tag.includes('data-for') || tag.includes('data-for="remotes"'))
    .map(([, file = '']) => path.join('shell/dist', file));
  const ofRemote = [...descriptor.preload, ...(descriptor.pagePreload?.[page] ?? []), ...descriptor.styles].map((file) => path.join(remote, 'dist', file));
  const files = [...ofShell, ...ofRemote].map((name) => ({ name, bytes: gzipSync(readFileSync(path.join(root, name)), { level: 9 }).length }));
  const total = (extension: string): number => files.filter(({ name }) => name.endsWith(extension)).reduce((sum, { bytes }) => sum + bytes, 0);
  return { files, scripts: total('.js'), styles: total('.css') };
}

/** Prints the sizes of a first visit to the home page. @returns whether they are within the budgets */
export function reportFirstLoad(root: string): boolean {
  const { files, scripts, styles } = measureFirstLoad(root, 'mf-public', '/');
  const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1).padStart(7)} KB`;
  for (const { name, bytes } of files) console.log(kilobytes(bytes), name);
  const line = (name: string, bytes: number, budget: number): boolean => {
    console.log(`${kilobytes(bytes)} ${name} after gzip, budget ${budget / 1024} KB: ${bytes <= budget ? 'kept' : 'EXCEEDED'}`);
    return bytes <= budget;
  };
  const within = [line('scripts', scripts, budgets.scripts), line('styles', styles, budgets.styles)];
  return within.every(Boolean);
}

if (import.meta.main) process.exitCode = reportFirstLoad(path.resolve(import.meta.dirname, '../../..')) ? 0 : 1;
