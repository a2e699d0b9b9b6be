// Says whether front-ends of earlier releases can work with today's services, as far as the schemas of the calls tell.
//
//   npm run release:check [FOLDER]     FOLDER: of other releases than those of the repository
import { findBreaks } from './find-breaks.ts';

const { releases, broken, outdated } = findBreaks(process.argv[2]);
for (const line of broken) console.log(line);
for (const line of outdated) console.log(`accepted, but no break: ${line}`);
if (broken.length > 0) {
  console.log(`
A front-end that is deployed would break. Let the service take both: a new field is optional, an old one stays, a limit is only
widened. Where the break is meant and no front-end minds, name it with the reason in packages/contracts/releases/accepted.json
(the text after the ·); else raise the contract version (packages/contracts/src/remotes.ts).`);
  process.exitCode = 1;
} else {
  console.log(`Today's calls keep what ${releases.join(', ')} promised.`);
}
if (process.connected) process.disconnect();
