/**
 * Draws the portraits of the demo clinic's doctors: `node scripts/make-portraits.ts` in mf-public writes
 * `public/portraits/doctor-01.svg` and so on. The same input always gives the same files, which are committed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { drawPortrait } from './portraits/draw-portrait.ts';
import { people } from './portraits/people.ts';

const folder = path.join(import.meta.dirname, '../public/portraits');
mkdirSync(folder, { recursive: true });
for (const [index, person] of people.entries()) {
  writeFileSync(path.join(folder, `doctor-${String(index + 1).padStart(2, '0')}.svg`), drawPortrait(person));
}
console.log(`${people.length} portraits in ${folder}`);
