// Lists, pins and rolls back the releases of front-ends on this machine; in containers, `static-server` does the same.
// Also checks whether a build may be deployed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseError, runReleaseCommand } from '@clinic/static-server';
import { exitCodes } from '../deployment/answers.ts';
import { remoteMayDeploy } from '../deployment/check.ts';
import { UserError } from '../log.ts';
import { runningOn } from '../stack/lock.ts';
import { root } from '../stack/settings.ts';

const usage = `npm run remote -- list [front-end]             lists the kept releases, the served one, and what visitors' pages report
npm run remote -- pin mf-clinic 1.2.0         serves that release, whatever is deployed
npm run remote -- rollback mf-clinic          serves the previous release, until another one is deployed
npm run remote -- unpin mf-clinic             goes back to the last deployed release
npm run remote -- add mf-clinic FOLDER        keeps a build as a release, without serving it
npm run remote -- canary mf-clinic 1.3.0 --share 5%
                                              gives that release to 5% of visitors; their errors decide whether it stays
    --errors 5% --visits 50 --quiet 30m       after 50 visits: back at 5% with an error, promoted after 30 minutes without one
npm run remote -- stop mf-clinic              takes a canary back
The clinic must be running. Open pages keep what they have loaded.

npm run remote -- check mf-clinic [folder of the build] [--clinic https://clinic.example]
  whether it may be deployed to that clinic (by default the one on this machine), from what runs there
  exit code 0: yes, 1: no, 2: unknown`;

const dataDir = process.env['DATA_DIR'] || join(root, '.data');
const releases = join(dataDir, 'releases');
const decisions = ['list', 'pin', 'rollback', 'unpin', 'canary', 'stop'];

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

async function main(args: readonly string[]): Promise<void> {
  const [command = '', name, ...rest] = args;
  if (command === 'add' && name !== undefined) return add(name, rest);
  if (!decisions.includes(command) || (name === undefined && command !== 'list')) throw new UserError(usage);
  await decide(args);
}

async function add(name: string, rest: readonly string[]): Promise<void> {
  const known = existsSync(releases) ? readdirSync(releases) : [];
  if (known.length === 0)
    throw new UserError(
      `No release is kept in ${releases}: npm start keeps each build, npm run dev serves the last one only. If the data is elsewhere, set DATA_DIR.`,
    );
  if (!known.includes(name)) throw new UserError(`There is no front-end ${name} here; there are ${known.join(', ')}.`);
  for (const line of await runReleaseCommand(join(releases, name), 'add', rest)) console.log(line);
}

/** Runs svc-identity's command on the database of the running clinic. */
async function decide(args: readonly string[]): Promise<void> {
  const running = runningOn(dataDir);
  if (running?.watch)
    throw new UserError(
      `npm run dev keeps no releases: visitors of http://localhost:${running.port} get the last build of each front-end. Stop it and run npm start to keep and choose releases.`,
    );
  const uri = process.env['MONGODB_URI'] || running?.embeddedUri;
  if (uri === undefined)
    throw new UserError(
      `The clinic must be running on ${dataDir} (npm start), or DATA_DIR be its data; with a database of your own, set MONGODB_URI.`,
    );
  const child = spawn(process.execPath, [join(root, 'svc-identity/src/releases.ts'), ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      DEMO_MODE: 'true',
      MONGODB_URI: uri,
      MONGODB_DATABASE: 'identity',
    },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
