/**
 * Draws the portraits of the demo clinic's doctors and the home page's picture: `node scripts/make-portraits.ts` in
 * mf-public writes `public/portraits/doctor-01.svg` and so on, and `src/home/team.svg`. The same input always gives the
 * same files, which are committed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { drawPortrait } from './portraits/draw-portrait.ts';
import { drawTeam } from './portraits/draw-team.ts';
import { people } from './portraits/people.ts';

const folder = path.join(import.meta.dirname, '../public/portraits');
mkdirSync(folder, { recursive: true });
for (const [index, person] of people.entries()) {
  writeFileSync(path.join(folder, `doctor-${String(index + 1).padStart(2, '0')}.svg`), drawPortrait(person));
}

const [, , , , , , tahmina, , , , , kwame, sabrina] = people;
if (!kwame || !tahmina || !sabrina)
  throw new Error('The team picture needs the seventh, twelfth and thirteenth person');
writeFileSync(path.join(import.meta.dirname, '../src/home/team.svg'), drawTeam([tahmina, sabrina, kwame]));

console.log(`${people.length} portraits in ${folder}`);
