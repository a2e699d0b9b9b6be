// Prints the clinic's stack for Docker Swarm, by Compose's files and settings: npm run --silent stack -- [GATEWAYS
// [SERVICES]]
import { spawnSync } from 'node:child_process';
import { UserError } from '../log.ts';
import { stackFile } from './stack-file.ts';

try {
  const [gateways = 3, services = 3, ...rest] = process.argv.slice(2).map(Number);
  if (rest.length > 0 || ![gateways, services].every((count) => Number.isInteger(count) && count > 0))
    throw new UserError('npm run --silent stack -- [GATEWAYS [SERVICES]], each a whole number; 3 of each by default');
  const { status, stdout } = spawnSync('docker', ['compose', 'config', '--format', 'json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new UserError("Compose can't read its files: see above.");
  console.log(JSON.stringify(stackFile(JSON.parse(stdout), { gateways, services }), null, 2));
} catch (error) {
  console.error(error instanceof UserError ? error.message : (error as Error).stack);
  process.exitCode = 1;
}
