// The images of a release, built, signed, pushed and pulled by a real engine: small ones, as all are made alike.
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { composeImages } from '../../scripts/release/docker.ts';
import { buildRelease, wrongImages } from '../../scripts/release/images.ts';
import { readList } from '../../scripts/release/signed-list.ts';
import { root } from '../../scripts/stack/settings.ts';

/** Debian's package of that name: the tests' runner installs it where it may. */
const hasRegistry = spawnSync('docker-registry', ['--version']).status === 0;

const run = promisify(execFile);
const docker = async (...args: readonly string[]): Promise<string> => (await run('docker', [...args])).stdout.trim();
const key = generateKeyPairSync('ed25519');
const release = { version: '0.2.0', commit: 'c'.repeat(40), before: '0.1.0' };

describe('a release', { timeout: 1_200_000 }, () => {
  let folder: string;
  let images: string;
  let registry: ChildProcess | undefined;
  const made: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clinic-release-'));
    const port = await holdPort();
    // Engines trust registries on loopback without TLS.
    images = `127.0.0.1:${port}/clinic`;
    process.env['CLINIC_IMAGES'] = images;
    if (hasRegistry) registry = await startRegistry(folder, port);
  });
  after(async () => {
    registry?.kill();
    await docker('image', 'rm', '--force', ...made).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });

  /** Makes the Compose file of a clinic with one service, in a folder that its release is written to. */
  async function useService(name: string, ...dockerfile: readonly string[]) {
    const context = join(folder, name);
    await mkdir(context);
    await writeFile(join(context, 'Dockerfile'), dockerfile.join('\n'));
    const service = {
      image: `\${CLINIC_IMAGES}/${name}:\${CLINIC_VERSION:-latest}`,
      build: { context, dockerfile: 'Dockerfile', args: { COMMIT: '${COMMIT:-}' } },
    };
    const file = join(context, 'compose.json');
    await writeFile(file, JSON.stringify({ name: 'clinic-release-test', services: { [name]: service } }));
    process.env['COMPOSE_FILE'] = file;
    const image = `${images}/${name}:${release.version}`;
    made.push(image);
    return { image, output: join(context, 'release') };
  }

  test('has labelled images with bills of materials, and a signed list that describes what is here', async () => {
    const { services } = JSON.parse(
      await docker('compose', '-f', join(root, 'docker-compose.yml'), 'config', '--format', 'json'),
    ) as { services: Record<string, { build?: { args?: Record<string, string> } }> };
    const node = services['svc-clinic']?.build?.args?.['NODE_IMAGE'] ?? assert.fail('no base image');
    const { image, output } = await useService('small', `FROM ${node}`, 'ARG COMMIT', 'ENV COMMIT=${COMMIT}');
    const list = await buildRelease(release, composeImages, key.privateKey, output, () => []);
    assert.deepEqual(readList(output, key.publicKey), list);
    assert.deepEqual(
      list.images.map(({ name }) => name),
      ['small'],
    );
    const labels = JSON.parse(await docker('image', 'inspect', '--format', '{{json .Config.Labels}}', image)) as Record<
      string,
      string
    >;
    assert.equal(labels['org.opencontainers.image.version'], release.version);
    assert.equal(labels['org.opencontainers.image.revision'], release.commit);
    const sbom = JSON.parse(await readFile(join(output, 'sbom/small.cdx.json'), 'utf8')) as {
      components: readonly { readonly name: string }[];
    };
    for (const name of ['node', 'libc6'])
      assert.ok(
        sbom.components.some((component) => component.name === name),
        name,
      );
    assert.deepEqual(await wrongImages(list, composeImages), []);
    await assert.rejects(
      buildRelease(release, composeImages, key.privateKey, output, () => []),
      /exists already/,
    );
  });

  test(
    'comes from a registry as it was signed, and another image in its place is noticed',
    { skip: !hasRegistry },
    async () => {
      // To push an image with a system in it takes ten seconds.
      const { image, output } = await useService('empty', 'FROM scratch', 'COPY Dockerfile /');
      const builder = { ...composeImages, run: () => Promise.resolve('v24.0.0') };
      await buildRelease(release, builder, key.privateKey, output, () => []);
      const list = readList(output, key.publicKey);
      await docker('push', '--quiet', image);
      await docker('image', 'rm', image);
      assert.match((await wrongImages(list, composeImages)).join(), /^empty: this machine doesn't have/);
      await run('docker', ['compose', 'pull', '--quiet'], { env: { ...process.env, CLINIC_VERSION: release.version } });
      assert.deepEqual(await wrongImages(list, composeImages), []);

      await composeImages.build('empty', release.version, { 'org.opencontainers.image.version': 'another' });
      assert.match((await wrongImages(list, composeImages)).join(), /^empty: \S+ is sha256:\w+, signed was sha256:/);
    },
  );
});

async function startRegistry(folder: string, port: number): Promise<ChildProcess> {
  const storage = join(folder, 'registry');
  await mkdir(storage);
  const config = join(folder, 'registry.yml');
  await writeFile(
    config,
    JSON.stringify({
      version: '0.1',
      storage: { filesystem: { rootdirectory: storage } },
      http: { addr: `127.0.0.1:${port}` },
    }),
  );
  const child = spawn('docker-registry', ['serve', config], { stdio: 'ignore' });
  await once(child, 'spawn');
  await waitUntil(async () => (await fetch(`http://127.0.0.1:${port}/v2/`)).ok);
  return child;
}
