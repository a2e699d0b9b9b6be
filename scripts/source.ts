// `npm run source -- mf-pharmacy/97.4eed27ae901be36310b1.js:1:2345 …`: where a place in a built script is in the
// sources. Takes places as the gateway logs them with a page error, and whole stacks from a browser on standard input.
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { root } from './stack/settings.ts';

/** `/shell/main.3ed0….js:1:2345`, `mf/mf-clinic/entry.….js:1:2345` */
const place = /(?:mf\/)?(shell|mf-[\w-]+)\/([\w.~-]+\.js):(\d+):(\d+)/g;

/** The place in the sources, or what is missing to find it. */
function sourceOf(app: string, script: string, line: number, column: number): string {
  const file = join(root, app, 'maps', `${script}.map`);
  if (!existsSync(file))
    return `no source map: copy it from that release, e.g. docker compose cp ${app}:/app/maps/. ${app}/maps/`;
  const origin = new SourceMap(
    JSON.parse(readFileSync(file, 'utf8')) as ConstructorParameters<typeof SourceMap>[0],
  ).findOrigin(line, column);
  return 'fileName' in origin ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}` : 'not in the sources';
}

const text = process.argv.length > 2 ? process.argv.slice(2).join('\n') : readFileSync(0, 'utf8');
const found = [...text.matchAll(place)];
for (const [whole, app = '', script = '', line, column] of found)
  console.log(`${whole}  →  ${sourceOf(app, script, Number(line), Number(column))}`);
if (found.length === 0) {
  console.error('Name a place in a built script, e.g. npm run source -- shell/main.3ed09675853eafbdc217.js:1:2345');
  process.exitCode = 1;
}
