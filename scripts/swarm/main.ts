// Prints the clinic's stack for Docker Swarm, by Compose's files and settings: npm run --silent stack -- [--shared FOLDER]
// [GATEWAYS [SERVICES]]
import { spawnSync } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { parseArgs } from 'node:util';
import { UserError } from '../log.ts';
import { runProgram } from '../program.ts';
import { stackFile, type StackOptions } from './stack-file.ts';

await runProgram(() => {
  const { gateways, services, sharedFolder } = readArguments();
  const { status, stdout } = spawnSync('docker', ['compose', 'config', '--format', 'json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new UserError("Compose can't read its files: see above.");
  console.log(JSON.stringify(stackFile(JSON.parse(stdout), { gateways, services, sharedFolder }), null, 2));
});

/** @throws {UserError} that says how to call it */
function readArguments(): StackOptions {
  try {
    const { values, positionals } = parseArgs({ options: { shared: { type: 'string' } }, allowPositionals: true });
    const [gateways = 3, services = 3, ...rest] = positionals.map(Number);
    const isCount = (count: number): boolean => Number.isInteger(count) && count > 0;
    if (rest.length === 0 && isCount(gateways) && isCount(services) && isFolder(values.shared))
      return { gateways, services, sharedFolder: values.shared };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new UserError(
    'npm run --silent stack -- [--shared FOLDER] [GATEWAYS [SERVICES]]: the numbers are whole, 3 by default; ' +
      'the folder’s path is absolute',
  );
}

function isFolder(path: string | undefined): boolean {
  return path === undefined || isAbsolute(path);
}
