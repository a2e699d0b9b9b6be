import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RemoteDescriptor } from '@clinic/contracts';
import { kilobyte } from '@clinic/contracts/budgets';

export interface FirstLoad {
  /** Size of each file after gzip, in bytes. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly scripts: number;
  readonly styles: number;
}

/**
 * Measures what a browser loads for the first page it opens, from the builds: the shell, and the remote's entry, module
 * and page.
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
  const own = descriptor.entry === undefined ? descriptor.preload : [descriptor.entry];
  const ofRemote = [...own, ...(descriptor.pagePreload?.[page] ?? []), ...descriptor.styles].map((file) =>
    path.join(remote, 'dist', file),
  );
  const files = [...ofShell, ...ofRemote].map((name) => ({
    name,
    bytes: gzipSync(readFileSync(path.join(root, name)), { level: 9 }).length,
  }));
  const total = (extension: string): number =>
    files.filter(({ name }) => name.endsWith(extension)).reduce((sum, { bytes }) => sum + bytes, 0);
  return { files, scripts: total('.js'), styles: total('.css') };
}

/**
 * Prints the sizes of a first visit to a page. `e2e/src/budgets` enforces the budgets, on what a browser really loads.
 */
function report(root: string, remote = 'mf-public', page = '/'): void {
  const { files, scripts, styles } = measureFirstLoad(root, remote, page);
  const print = (bytes: number, name: string): void =>
    console.log(`${(bytes / kilobyte).toFixed(1).padStart(7)} kB`, name);
  for (const { name, bytes } of files) print(bytes, name);
  print(scripts, 'scripts after gzip');
  print(styles, 'styles after gzip');
}

if (import.meta.main) report(path.resolve(import.meta.dirname, '../../..'), ...process.argv.slice(2));
