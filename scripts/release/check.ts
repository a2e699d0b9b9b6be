// Checks whether front-ends of earlier releases work with today's services, as far as the call schemas tell.
//
//   npm run release:check [FOLDER]     FOLDER: a folder of releases other than the repository's
import { findBreaks } from './find-breaks.ts';

const { releases, broken, outdated } = findBreaks(process.argv[2]);
for (const line of broken) console.log(line);
for (const line of outdated) console.log(`accepted, but not a breaking change: ${line}`);
if (broken.length > 0) {
  console.log(`
A deployed front-end would break. Make the service accept both: new fields are optional, old ones stay, limits are only
widened. If the break is deliberate and affects no front-end, add it with the reason to packages/contracts/releases/accepted.json
(the text after the ·); otherwise raise the contract version (packages/contracts/src/remotes.ts).`);
  process.exitCode = 1;
} else {
  console.log(`Today's calls keep what ${releases.join(', ')} promised.`);
}
if (process.connected) process.disconnect();
