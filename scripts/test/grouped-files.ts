// Runs test files in one process, one after the other: each finds loaded what the one before has loaded.
import { suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import { whenEnded } from './grouped-reporter.ts';
import { followingPromises } from './lighter-hooks.ts';

for (const file of process.argv.slice(2)) {
  const ended = whenEnded(file);
  suite(file, () => followingPromises(() => import(pathToFileURL(file).href)));
  await ended;
}
