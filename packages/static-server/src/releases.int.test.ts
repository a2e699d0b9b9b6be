import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { startStaticServer, type StaticServer } from './index.ts';
import { keptReleases, readReleases } from './releases.ts';

const run = promisify(execFile);
const main = path.join(import.meta.dirname, 'main.ts');

describe('releases', () => {
  let root: string;
  let server: StaticServer;
  let served: string | undefined;
  let onServed: (() => void) | undefined;

  /** Name of a release's script, with a digest in webpack's format. */
  const scriptOf = (version: number): string => `entry.${String(version).padStart(20, '0')}.js`;

  /** Replaces the build in the server's directory. */
  async function deploy(version: number): Promise<void> {
    const directory = path.join(root, 'dist');
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory);
    await writeFile(path.join(directory, scriptOf(version)), `version ${version}`);
    await writeFile(path.join(directory, 'remote.json'), JSON.stringify({ version: `1.${version}.0+${version}` }));
  }

  async function start(): Promise<StaticServer> {
    return startStaticServer({
      directory: path.join(root, 'dist'),
      releases: path.join(root, 'releases'),
      port: 0,
      pollMs: 10,
      onRead: (_files: number, version: string) => {
        served = version;
        onServed?.();
      },
    });
  }

  /** Waits until a version is served. */
  function serves(version: number): Promise<void> {
    return new Promise((resolve) => {
      onServed = () => served === `1.${version}.0+${version}` && resolve();
      onServed();
    });
  }

  /** Output of the operator's command. */
  async function operate(...args: string[]): Promise<string> {
    return (
      await run(process.execPath, [main, ...args], {
        env: { ...process.env, RELEASES_DIR: path.join(root, 'releases') },
      })
    ).stdout;
  }

  const status = async (file: string): Promise<number> => (await fetch(`${server.url}/${file}`)).status;

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'releases-'));
    await deploy(1);
    server = await start();
  });
  after(async () => {
    await server.close();
    await rm(root, { recursive: true });
  });

  it('survive a restart of the server', async () => {
    await server.close();
    await deploy(2);
    server = await start();
    await serves(2);
    assert.equal(await status(scriptOf(1)), 200);
    assert.equal(await status(scriptOf(2)), 200);
  });

  /** What the server answers to a gateway. */
  const asGateway = (file: string): Promise<Response> =>
    fetch(`${server.url}/${file}`, { headers: { 'clinic-releases': 'read' } });

  it('are listed for gateways, which read their files, and for nobody else', async () => {
    const { deployed, releases } = (await (await asGateway('releases.json')).json()) as {
      deployed: { version: string };
      releases: { version: string }[];
    };
    assert.deepEqual([deployed.version, releases.map(({ version }) => version)], ['1.2.0+2', ['1.2.0+2', '1.1.0+1']]);
    assert.deepEqual(await (await asGateway('releases/1.1.0+1/remote.json')).json(), { version: '1.1.0+1' });
    assert.deepEqual(
      [
        (await asGateway('releases/1.9.0/remote.json')).status,
        (await asGateway('releases/..%2f1.1.0+1/remote.json')).status,
        await status('releases.json'),
        await status('releases/1.1.0+1/remote.json'),
      ],
      [404, 404, 404, 404],
    );
    assert.match(await operate('list'), /^1\.2\.0\+2 .* {2}deployed last\n1\.1\.0\+1 [-\d: ]*\n$/);
  });

  it('are decided about elsewhere, and the command says where', async () => {
    for (const command of ['pin', 'rollback', 'unpin', 'canary', 'stop'])
      await assert.rejects(operate(command, '1.2.0'), {
        stderr: `What visitors get is decided at svc-identity: docker compose exec svc-identity node src/releases.ts ${command} mf-NAME 1.2.0\n`,
      });
    await assert.rejects(operate('add'), /list \| add/);
  });

  it('are deployed again when an older build comes back', async () => {
    await deploy(3);
    await serves(3);
    await deploy(2);
    await serves(2);
    assert.match(await operate('list'), /^1\.2\.0\+2 .*deployed last/);
  });

  it('can be redeployed by the container that has the build', async () => {
    const other = path.join(root, 'other');
    await mkdir(other);
    await writeFile(path.join(other, 'remote.json'), JSON.stringify({ version: '1.9.0+9' }));
    const { stdout } = await run(process.execPath, [main, 'redeploy'], {
      env: { ...process.env, RELEASES_DIR: path.join(root, 'releases'), STATIC_DIR: other },
    });
    assert.equal(stdout, '1.9.0+9 has been deployed again.\n');
    await serves(9);
    await run(process.execPath, [main, 'redeploy'], {
      env: { ...process.env, RELEASES_DIR: path.join(root, 'releases'), STATIC_DIR: path.join(root, 'dist') },
    });
    await serves(2);
  });

  it('are removed after enough later ones, unless a gateway gives them to visitors', async () => {
    assert.equal((await asGateway('releases/1.1.0+1/remote.json')).status, 200);
    for (let version = 4; version < 4 + keptReleases; version += 1) {
      await deploy(version);
      await waitUntil(async () => (await status(scriptOf(version))) === 200);
    }
    await serves(3 + keptReleases);
    assert.equal(await status(scriptOf(2)), 404);
    assert.equal(await status(scriptOf(1)), 200);
  });

  it('are removed in the order they were deployed, also once a clock that was ahead is put right', async () => {
    const folder = path.join(root, 'releases');
    for (const release of (await readReleases(folder)).releases)
      await writeFile(
        path.join(folder, `${release.version}.json`),
        JSON.stringify({ ...release, at: release.at.replace(/^\d+/, '2999') }),
      );
    for (const version of [20, 21]) {
      await deploy(version);
      await serves(version);
    }
    const { releases } = await readReleases(folder);
    assert.deepEqual(
      releases.slice(0, 2).map(({ version }) => version),
      ['1.21.0+21', '1.20.0+20'],
    );
  });
});
