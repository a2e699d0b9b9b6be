import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { buildRelease, foldersOf, nameOf, wrongImages, type BuiltService, type ImageBuilder } from './images.ts';
import { npmComponents, systemComponents, type Sbom } from './sbom.ts';
import { digestOf, listFile, readKey, readList, signatureFile } from './signed-list.ts';

const scratch = mkdtempSync(join(tmpdir(), 'clinic-release-'));
after(() => rmSync(scratch, { recursive: true }));

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const [keyFile, publicFile] = [join(scratch, 'key.pem'), join(scratch, 'key.pub')];
writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
writeFileSync(publicFile, publicKey.export({ type: 'spki', format: 'pem' }));

const release = { version: '0.2.0', commit: 'a'.repeat(40), before: '0.1.0' };
const service = (name: string, dockerfile: string, args = {}): BuiltService => ({
  image: `registry.example:5000/clinic/${name}:0.2.0`,
  build: { dockerfile, args },
});

/** An engine that keeps images in memory; an image's id follows from its labels. */
class MemoryEngine implements ImageBuilder {
  readonly images = new Map<string, string>();
  readonly labels = new Map<string, Readonly<Record<string, string>>>();
  readonly #services: Readonly<Record<string, BuiltService>> = {
    'svc-clinic': service('svc-clinic', 'svc-clinic/Dockerfile'),
    'mf-clinic': service('mf-clinic', 'docker/front-end/Dockerfile', { FRONT_END: 'mf-clinic' }),
    backup: service('backup', 'packages/backup/Dockerfile'),
    restore: service('backup', 'packages/backup/Dockerfile'),
  };

  services(): Promise<Readonly<Record<string, BuiltService>>> {
    return Promise.resolve(this.#services);
  }

  /** A service whose build fails. */
  broken: string | undefined;

  build(name: string, _version: string, labels: Readonly<Record<string, string>>): Promise<void> {
    if (name === this.broken) return Promise.reject(new Error(`${name} can't be built`));
    const { image } = this.#services[name] ?? assert.fail(name);
    this.labels.set(name, labels);
    this.images.set(image, digestOf(JSON.stringify(labels)));
    return Promise.resolve();
  }

  idOf(image: string): Promise<string | undefined> {
    return Promise.resolve(this.images.get(image));
  }

  remove(image: string): Promise<void> {
    this.images.delete(image);
    return Promise.resolve();
  }

  run(): Promise<string> {
    return Promise.resolve('v24.21.0\nlibc6 2.36-9+deb12u13 amd64\n');
  }
}

let engine: MemoryEngine;
let folder: string;
beforeEach(() => {
  engine = new MemoryEngine();
  folder = mkdtempSync(join(scratch, 'release-'));
});

const make = () =>
  buildRelease(release, engine, readKey(keyFile, 'private'), folder, (folders) =>
    folders.map((name) => ({ type: 'library', name })),
  );
const read = () => readList(folder, readKey(publicFile, 'public'));

test('each image is built once, with labels and a bill of materials, and is in the signed list', async () => {
  await make();
  assert.deepEqual([...engine.labels.keys()], ['backup', 'mf-clinic', 'svc-clinic']);
  assert.deepEqual(engine.labels.get('svc-clinic'), {
    'org.opencontainers.image.title': 'svc-clinic',
    'org.opencontainers.image.version': '0.2.0',
    'org.opencontainers.image.revision': 'a'.repeat(40),
  });
  const list = read();
  assert.deepEqual(
    { ...list, images: list.images.map(({ name }) => name) },
    {
      ...release,
      images: ['backup', 'mf-clinic', 'svc-clinic'],
    },
  );
  const sbom = JSON.parse(readFileSync(join(folder, 'sbom/mf-clinic.cdx.json'), 'utf8')) as Sbom;
  assert.deepEqual(
    sbom.components.map(({ name, version }) => `${name} ${version ?? ''}`.trim()),
    ['mf-clinic', 'packages/static-server', 'node 24.21.0', 'libc6 2.36-9+deb12u13'],
  );
  assert.deepEqual(await wrongImages(list, engine), []);
});

test('an image that exists is not overwritten', async () => {
  await make();
  const before = new Map(engine.images);
  await assert.rejects(make(), /backup:0\.2\.0 exists already/);
  assert.deepEqual(engine.images, before);
});

test('a failed build leaves nothing, and can be repeated', async () => {
  engine.broken = 'svc-clinic';
  await assert.rejects(make(), /svc-clinic can't be built/);
  assert.deepEqual([...engine.images.keys()], []);
  assert.ok(!existsSync(folder));
  engine.broken = undefined;
  assert.equal((await make()).images.length, 3);
});

test('a check reports an image that is missing or has another id', async () => {
  const list = await make();
  engine.images.set('registry.example:5000/clinic/svc-clinic:0.2.0', digestOf('another'));
  engine.images.delete('registry.example:5000/clinic/backup:0.2.0');
  assert.deepEqual(
    (await wrongImages(list, engine)).map((line) => line.replaceAll(/sha256:\w+/g, 'ID')),
    [
      "backup: this machine doesn't have registry.example:5000/clinic/backup:0.2.0",
      'svc-clinic: registry.example:5000/clinic/svc-clinic:0.2.0 is ID, signed was ID',
    ],
  );
});

test('a check rejects a changed list, bill of materials or key', async () => {
  await make();
  const list = readFileSync(join(folder, listFile), 'utf8');
  writeFileSync(join(folder, listFile), list.replace('0.2.0', '0.2.1'));
  assert.throws(read, /is not what the key's owner signed/);
  writeFileSync(join(folder, listFile), list);
  assert.equal(read().version, '0.2.0');
  assert.throws(() => readList(folder, generateKeyPairSync('ed25519').publicKey), /is not what the key's owner signed/);
  writeFileSync(join(folder, 'sbom/backup.cdx.json'), '{}');
  assert.throws(read, /The bill of materials of backup was changed/);
});

test('OpenSSL accepts the signature, too', async (t) => {
  await make();
  const { status, error, stdout } = spawnSync(
    'openssl',
    ['pkeyutl', '-verify', '-pubin', '-inkey', publicFile, '-rawin', '-in', listFile, '-sigfile', signatureFile],
    { cwd: folder, encoding: 'utf8' },
  );
  if (error) return t.skip('openssl is not installed');
  assert.equal(status, 0, stdout);
});

test('a key of another kind is rejected', () => {
  const file = join(scratch, 'rsa.pem');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(file, rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  assert.throws(() => readKey(file, 'private'), /RELEASE_KEY_FILE must be a file with a private Ed25519 key/);
  assert.throws(() => readKey(join(scratch, 'none'), 'public'), /RELEASE_PUBLIC_KEY_FILE must be/);
});

test('a bill of materials has exactly what the image installs', () => {
  const names = npmComponents(['packages/graceful-server']).map(({ name }) => name);
  assert.ok(!names.some((name) => name.startsWith('@clinic/')));
  const service = npmComponents(['svc-clinic']);
  const mongodb = service.find(({ name }) => name === 'mongodb');
  assert.match(mongodb?.purl ?? '', /^pkg:npm\/mongodb@\d/);
  assert.ok(!service.some(({ name }) => ['jest', 'typescript', 'react'].includes(name)));
  assert.deepEqual(npmComponents([]), []);
});

test('Debian’s packages have their address', () => {
  assert.deepEqual(systemComponents('v24.21.0\nlibc6 2.36-9+deb12u13 amd64\n'), [
    { type: 'platform', name: 'node', version: '24.21.0' },
    {
      type: 'library',
      name: 'libc6',
      version: '2.36-9+deb12u13',
      purl: 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u13?arch=amd64',
    },
  ]);
});

test('an image’s name and workspaces follow from its build', () => {
  assert.equal(nameOf('registry.example:5000/clinic/svc-clinic:0.2.0'), 'svc-clinic');
  assert.deepEqual(foldersOf(service('balancer', 'docker/balancer/Dockerfile')), []);
  assert.deepEqual(foldersOf(service('svc-clinic', 'svc-clinic/Dockerfile')), ['svc-clinic']);
});
