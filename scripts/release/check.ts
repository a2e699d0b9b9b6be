// Checks whether remotes and services of earlier releases work with today's, as far as schemas and names show, and says
// what was added.
//
//   npm run release:check [FOLDER]                 FOLDER: a folder of releases other than the repository's
//   npm run release:check -- --since main          compares with a commit instead
import { parseArgs } from 'node:util';
import { UserError } from '../log.ts';
import { changesSince } from './changes.ts';
import { findBreaks } from './find-breaks.ts';
import { withContractOf } from './since.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { since: { type: 'string' } } });
try {
  await (values.since === undefined ? check(positionals[0]) : withContractOf(values.since, check));
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
if (process.connected) process.disconnect();

async function check(folder?: string): Promise<void> {
  const { releases, broken, outdated } = findBreaks(folder);
  const { since, additive, breaking } = await changesSince(folder);
  // The names of the kit are known of releases only.
  const named = values.since === undefined ? additive : additive.filter((line) => !line.startsWith('@clinic/'));
  for (const line of named) console.log(`additive since ${since} · ${line}`);
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
}
