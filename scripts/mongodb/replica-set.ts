// A MongoDB replica set of three in containers, with authentication and TLS, for tests.
import { randomBytes } from 'node:crypto';
import { copyFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { MongoClient } from 'mongodb';
import { UserError } from '../log.ts';
import { root } from '../stack/settings.ts';
import { exec } from '../test/exec.ts';
import { onStop } from '../test/process-group.ts';

const composeFile = join(root, 'docker/tests/mongodb.yml');
const image = process.env['MONGO_IMAGE'] ?? 'mongo:8.0';
const ports = [27_117, 27_118, 27_119] as const;
const hosts = ports.map((port) => `127.0.0.1:${port}`);

const runs = (...args: readonly string[]): Promise<boolean> =>
  exec('docker', args, { quiet: true, hush: true }).then(
    ({ ok }) => ok,
    // It isn't installed.
    () => false,
  );

/** @throws UserError, one line, if containers of MongoDB can't run here */
export async function requireImages(): Promise<void> {
  const missing = !(await runs('info'))
    ? 'no Docker engine answers (docker info)'
    : !(await runs('compose', 'version'))
      ? 'Docker has no Compose 2'
      : !((await runs('image', 'inspect', image)) || (await runs('pull', image)))
        ? `the image ${image} is not here and can’t be pulled`
        : undefined;
  if (missing !== undefined) throw new UserError(`MongoDB is not tested here: ${missing}.`);
}

/** A running replica set. */
interface ReplicaSet {
  /** Address, with the password and the certificate's file. */
  readonly uri: string;
  close(): Promise<void>;
}

/** @throws UserError if its containers don't start */
export async function startReplicaSet(): Promise<ReplicaSet> {
  const keys = mkdtempSync(join(tmpdir(), 'clinic-mongodb-keys-'));
  const compose = (...args: readonly string[]) =>
    exec('docker', ['compose', '-f', composeFile, ...args], { quiet: true, env: { MONGODB_TEST_KEYS: keys } });
  const close = async (): Promise<void> => {
    await compose('down', '--volumes', '--timeout', '5');
    rmSync(keys, { recursive: true, force: true });
  };
  onStop(close);
  try {
    await makeKeys(keys);
    if (!(await compose('up', '--detach', '--wait')).ok)
      throw new UserError('The replica set did not start (see above).');
    const options = `tls=true&tlsCAFile=${encodeURIComponent(join(keys, 'ca.pem'))}`;
    const password = randomBytes(12).toString('hex');
    await initiate(options, password);
    return { uri: `mongodb://root:${password}@${hosts.join()}/?replicaSet=rs0&authSource=admin&${options}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A certificate of its own authority for all members, and the secret by which they know each other. */
async function makeKeys(folder: string): Promise<void> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'ca.pem')];
  const subject = ['-subj', '/CN=clinic-mongodb-tests', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject];
  if (!(await exec('openssl', [...request, '-keyout', key, '-out', certificate], { quiet: true })).ok)
    throw new UserError('openssl could not make a certificate (see above).');
  copyFileSync(certificate, join(folder, 'server.pem'));
  writeFileSync(join(folder, 'server.pem'), readFileSync(key), { flag: 'a' });
  writeFileSync(join(folder, 'keyfile'), randomBytes(48).toString('base64'));
  // The container's user reads them; they are worth nothing after the tests.
  chmodSync(folder, 0o755);
  for (const name of ['server.pem', 'ca.pem', 'keyfile']) chmodSync(join(folder, name), 0o644);
}

/** Until the first user exists, MongoDB lets a local connection do this without a password. */
async function initiate(options: string, password: string): Promise<void> {
  const direct = (host: string): MongoClient => new MongoClient(`mongodb://${host}/?directConnection=true&${options}`);
  const members = hosts.map((host, _id) => ({ _id, host, priority: _id === 0 ? 2 : 1 }));
  const client = direct(hosts[0] ?? '');
  try {
    const admin = client.db('admin');
    await waitUntil(() => admin.command({ ping: 1 }));
    await admin.command({ replSetInitiate: { _id: 'rs0', members } });
    await waitUntil(async () => (await admin.command({ hello: 1 }))['isWritablePrimary'] === true);
    await admin.command({ createUser: 'root', pwd: password, roles: ['root'] });
  } finally {
    await client.close();
  }
}
