import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../log.ts';
import { exec } from '../test/exec.ts';
import type { BuiltService, ImageBuilder } from './images.ts';

const quiet = { quiet: true, hush: true } as const;

async function docker(args: readonly string[], env: Record<string, string>, why: string): Promise<string> {
  const { ok, output } = await exec('docker', args, { quiet: true, env });
  if (!ok) throw new UserError(why);
  return output;
}

/** Services that are built here, by Compose's files and settings, also those in .env. */
async function builtServices(version: string, commit = ''): Promise<Readonly<Record<string, BuiltService>>> {
  const json = await docker(
    ['compose', '--profile', '*', 'config', '--format', 'json'],
    { CLINIC_VERSION: version, BALANCER_VERSION: version, COMMIT: commit },
    "Compose's files can't be read: see above.",
  );
  const { services } = JSON.parse(json) as { services: Record<string, Partial<BuiltService>> };
  return Object.fromEntries(
    Object.entries(services).filter((entry): entry is [string, BuiltService] => entry[1].build !== undefined),
  );
}

/** The images of docker-compose.yml, built by the engine of this machine. */
export const composeImages: ImageBuilder = {
  services: (version) => builtServices(version),
  async build(service, version, labels) {
    const commit = labels['org.opencontainers.image.revision']?.slice(0, 12);
    const { image, build } = (await builtServices(version, commit))[service] ?? {};
    const scratch = mkdtempSync(join(tmpdir(), 'clinic-release-'));
    const file = join(scratch, 'labelled.json');
    writeFileSync(
      file,
      JSON.stringify({ name: 'clinic', services: { [service]: { image, build: { ...build, labels } } } }),
    );
    try {
      await docker(['compose', '-f', file, 'build', service], {}, `${service} can't be built: see above.`);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
  async idOf(image) {
    const { ok, output } = await exec('docker', ['image', 'inspect', '--format', '{{.Id}}', image], quiet);
    return ok ? output.trim() : undefined;
  },
  async remove(image) {
    await exec('docker', ['image', 'rm', image], quiet);
  },
  run: (image, script) =>
    docker(
      ['run', '--rm', '--network', 'none', '--entrypoint', 'sh', image, '-c', script],
      {},
      `${image} can't be run: see above.`,
    ),
};
