// Compose projects of container tests that were ended before they could remove them.
import { isHeld } from '@clinic/service-kit/testing/hold-port';
import { log } from '../log.ts';
import { exec } from '../test/exec.ts';

const quiet = { quiet: true, hush: true } as const;

/**
 * Removes the containers, networks and volumes of tests that no longer run. A project is named after its port, which its
 * test holds while it runs, be it another run's.
 */
export async function removeLeftProjects(): Promise<void> {
  const format = '{{.Label "com.docker.compose.project"}}';
  const filter = 'label=com.docker.compose.project';
  const { ok, output } = await exec('docker', ['ps', '--all', '--filter', filter, '--format', format], quiet);
  if (!ok) return;
  for (const name of new Set(output.split('\n'))) {
    const [, port] = /^clinic-test-(\d+)(?:-trial)?$/.exec(name) ?? [];
    if (port === undefined || (await isHeld(Number(port)))) continue;
    log(`Removing the containers of ${name}, whose test was ended …`);
    const down = ['compose', '-p', name, 'down', '--volumes', '--remove-orphans', '--timeout', '0'];
    await exec('docker', down, quiet);
  }
}
