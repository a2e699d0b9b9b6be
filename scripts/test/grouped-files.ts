// Runs test files in one process, one after the other: each finds loaded what the one before has loaded.
import { suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import { whenEnded } from './grouped-reporter.ts';
import { followingPromises } from './lighter-hooks.ts';

// A test may wait for what doesn't keep a process alive; it is ended in time if that never comes.
const alive = setInterval(() => undefined, 60_000);
for (const file of process.argv.slice(2)) {
  const ended = whenEnded(file);
  suite(file, () => followingPromises(() => import(pathToFileURL(file).href)));
  await ended;
}
clearInterval(alive);
