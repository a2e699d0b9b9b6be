// Lists, pins and rolls back the releases of front-ends on this machine; in containers, `static-server` does the same.
// Also checks whether a build may be deployed.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isReleaseCommand, ReleaseError, runReleaseCommand } from '@clinic/static-server';
import { exitCodes } from '../deployment/answers.ts';
import { remoteMayDeploy } from '../deployment/check.ts';
import { UserError } from '../log.ts';
import { root } from '../stack/settings.ts';

const usage = `npm run remote -- list [front-end]             lists the kept releases, the served one, and whether it is pinned
npm run remote -- pin mf-clinic 1.2.0         serves that release, whatever is deployed
npm run remote -- rollback mf-clinic          serves the previous release, until another one is deployed
npm run remote -- unpin mf-clinic             goes back to the last deployed release
npm run remote -- add mf-clinic FOLDER        keeps a build as a release, without serving it
npm run remote -- canary mf-clinic 1.3.0 --share 5%
                                              gives that release to 5% of visitors; the gateway promotes it or rolls it back
    --errors 5% --visits 50 --quiet 30m       after 50 visits: back at 5% with an error, promoted after 30 minutes without one
npm run remote -- stop mf-clinic              takes a canary back
A running clinic follows within five seconds; open pages keep what they have loaded.

npm run remote -- check mf-clinic [folder of the build] [--clinic https://clinic.example]
  whether it may be deployed to that clinic (by default the one on this machine), from what runs there
  exit code 0: yes, 1: no, 2: unknown`;

const releases = join(process.env['DATA_DIR'] || join(root, '.data'), 'releases');

const [first, ...others] = process.argv.slice(2);
try {
  if (first === 'check') await check(others);
  else await main(process.argv.slice(2));
} catch (error) {
  const ordinary = error instanceof UserError || error instanceof ReleaseError;
  console.error(ordinary ? error.message : (error as Error).stack);
  process.exitCode = first === 'check' ? exitCodes.unknown : 1;
} finally {
  if (process.connected) process.disconnect();
}

async function check(args: readonly string[]): Promise<void> {
  const { lines, exitCode } = await remoteMayDeploy(args);
  for (const line of lines) console.log(line);
  process.exitCode = exitCode;
}

async function main([command = '', name, ...rest]: readonly string[]): Promise<void> {
  if (!isReleaseCommand(command) || (name === undefined && command !== 'list')) throw new UserError(usage);
  const known = existsSync(releases) ? readdirSync(releases) : [];
  if (known.length === 0)
    throw new UserError(
      `No release is kept in ${releases}: npm start keeps each build, npm run dev serves the last one only. If the data is elsewhere, set DATA_DIR.`,
    );
  if (name !== undefined && !known.includes(name))
    throw new UserError(`There is no front-end ${name} here; there are ${known.join(', ')}.`);
  for (const one of name === undefined ? known : [name]) {
    if (name === undefined) console.log(`${one}:`);
    for (const line of await runReleaseCommand(join(releases, one), command, rest))
      console.log(name === undefined ? `  ${line}` : line);
  }
}
