import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Program } from '../support/program.ts';
import type { Row } from '../support/results.ts';
import { alternate, type RoundOptions } from '../support/rounds.ts';
import { compared, cpuTimes, type Starter } from './starter.ts';

/** Servers of the same build. */
export interface StaticFiles {
  readonly server: Program;
  readonly nginx: Program | undefined;
  readonly bytes: number;
}

/** A build with one file of 100 KB after compression, which compresses no further. */
export async function staticFiles(starter: Starter): Promise<StaticFiles> {
  const folder = path.join(starter.folder, 'build');
  mkdirSync(folder);
  const content = Buffer.from(randomBytes(94_000).toString('hex'));
  const zipped = gzipSync(content, { level: 9 });
  writeFileSync(path.join(folder, 'main.0123456789abcdef.js'), content);
  writeFileSync(path.join(folder, 'main.0123456789abcdef.js.gz'), zipped);
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Bench</title>');
  const server = await starter.node('packages/static-server/src/main.ts', { STATIC_DIR: folder });
  return { server, nginx: await starter.proxy('files', { folder }), bytes: zipped.length };
}

/** Static files, directly and through the gateway. */
export async function staticRows(
  { server, nginx, bytes }: StaticFiles,
  through: Program,
  options: RoundOptions,
): Promise<Row[]> {
  if (!nginx) return [];
  const file = '/main.0123456789abcdef.js';
  const question = (prefix: string) => ({ path: prefix + file, headers: { Accept: '*/*', 'Accept-Encoding': 'gzip' } });
  const found = await alternate(
    {
      server: { program: server, question: question('') },
      nginx: { program: nginx, question: question('') },
      through: { program: through, question: question('/mf/mf-bench') },
    },
    options,
  );
  const size = `${Math.round(bytes / 1024)} KB`;
  return [
    compared(`static file of ${size}, compressed, compared with nginx gzip_static`, found.server, found.nginx, 0.75, {
      chart: 'static files / nginx',
    }),
    compared(
      'the same through the gateway, compared with nginx gzip_static without a proxy',
      found.through,
      found.nginx,
      0.5,
      { note: cpuTimes(found.through, found.nginx) },
    ),
  ];
}
