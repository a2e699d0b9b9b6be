import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../say.ts';
import { exec } from '../test/exec.ts';
import type { BuiltService, ImageBuilder } from './images.ts';

const quiet = { quiet: true, hush: true } as const;

async function docker(args: readonly string[], env: Record<string, string>, why: string): Promise<string> {
  const { ok, output } = await exec('docker', args, { quiet: true, env });
  if (!ok) throw new UserError(why);
  return output;
}

/** The images of docker-compose.yml, built by the engine of this machine. */
export const composeImages: ImageBuilder = {
  async services(version) {
    const json = await docker(
      ['compose', '--profile', '*', 'config', '--format', 'json'],
      { CLINIC_VERSION: version, BALANCER_VERSION: version },
      "docker-compose.yml can't be read: see above.",
    );
    const { services } = JSON.parse(json) as { services: Record<string, Partial<BuiltService>> };
    return Object.fromEntries(
      Object.entries(services).filter((entry): entry is [string, BuiltService] => entry[1].build !== undefined),
    );
  },
  async build(service, version, labels) {
    const scratch = mkdtempSync(join(tmpdir(), 'clinic-release-'));
    const extra = join(scratch, 'labels.json');
    writeFileSync(extra, JSON.stringify({ services: { [service]: { build: { labels } } } }));
    const files = (process.env['COMPOSE_FILE'] || 'docker-compose.yml').split(':');
    try {
      await docker(
        ['compose', '--profile', '*', ...[...files, extra].flatMap((file) => ['-f', file]), 'build', service],
        {
          CLINIC_VERSION: version,
          BALANCER_VERSION: version,
          COMMIT: labels['org.opencontainers.image.revision']?.slice(0, 12) ?? '',
        },
        `${service} can't be built: see above.`,
      );
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
  async idOf(image) {
    const { ok, output } = await exec('docker', ['image', 'inspect', '--format', '{{.Id}}', image], quiet);
    return ok ? output.trim() : undefined;
  },
  run: (image, script) =>
    docker(
      ['run', '--rm', '--network', 'none', '--entrypoint', 'sh', image, '-c', script],
      {},
      `${image} can't be run: see above.`,
    ),
};
