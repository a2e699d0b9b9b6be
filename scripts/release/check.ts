// Checks whether remotes and services of earlier releases work with today's, as far as schemas and names show, and says
// what was added.
//
//   npm run release:check [FOLDER]     FOLDER: a folder of releases other than the repository's
import { changesSince } from './changes.ts';
import { findBreaks } from './find-breaks.ts';

const { releases, broken, outdated } = findBreaks(process.argv[2]);
const { since, additive, breaking } = await changesSince(process.argv[2]);
for (const line of additive) console.log(`additive since ${since} · ${line}`);
for (const line of breaking) console.log(`breaking since ${since} · ${line}`);
for (const line of broken) console.log(line);
for (const line of outdated) console.log(`accepted, but not a breaking change: ${line}`);
if (broken.length > 0) {
  console.log(`
A deployed front-end would break. Make the service accept both: new fields are optional, old ones stay, limits are only
widened. If the break is deliberate and affects no front-end, add it with the reason to packages/contracts/releases/accepted.json
(the text after the ·); otherwise add another call, and keep this one while a contract version that has it is accepted.`);
  process.exitCode = 1;
}
if (breaking.length > 0) {
  console.log(`
The contract has a break that isn't declared. Keep what was there; or raise its version by one (packages/contracts/src/remotes.ts,
publication.ts), with an adapter for the version before and its last day (packages/contracts/src/window).`);
  process.exitCode = 1;
}
if (process.exitCode !== 1) {
  console.log(`Today's calls keep what ${releases.join(', ')} promised.`);
}
if (process.connected) process.disconnect();
