import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { startStaticServer, type StaticServer } from './index.ts';
import { keptReleases } from './releases.ts';

const run = promisify(execFile);
const main = path.join(import.meta.dirname, 'main.ts');

describe('releases', () => {
  let root: string;
  let server: StaticServer;
  let served: string | undefined;
  let onServed: (() => void) | undefined;
  /** Pin notes from its log. */
  const notes: string[] = [];

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
      onRead: (_files, version, note) => {
        served = version;
        if (note !== undefined) notes.push(note);
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

  it('can be rolled back to, even by a server that starts with the newer release', async () => {
    assert.equal(
      await operate('rollback'),
      "1.1.0+1 is now served, until another release is deployed, or until you run 'unpin'.\n",
    );
    await serves(1);
    assert.deepEqual(notes, [
      'pinned by a rollback from 1.2.0+2 until the next deployment: 1.1.0+1 is served, 1.2.0+2 was deployed last',
    ]);
    await server.close();
    served = undefined;
    server = await start();
    await serves(1);
    assert.match(
      await operate('list'),
      /^1\.2\.0\+2 .* {2}deployed last\n1\.1\.0\+1 .* {2}served, rolled back to\nPinned by a rollback from 1\.2\.0\+2 until/,
    );
    assert.equal(await (await fetch(`${server.url}/health/ready`)).text(), `ok\n${notes.at(-1)}\n`);
  });

  it('are replaced by the next deployment after a roll-back', async () => {
    await deploy(3);
    await serves(3);
    assert.match(
      await operate('list'),
      /^1\.3\.0\+3 .* {2}served, deployed last\n1\.2\.0\+2 .*[^,]\n1\.1\.0\+1 [^,]*\nLast decided here on [-\d: ]{16}: 1\.1\.0\+1 rolled back to\.\n$/,
    );
    assert.equal(await (await fetch(`${server.url}/health/ready`)).text(), 'ok\n');
  });

  it('stay pinned whatever is deployed, until they are unpinned, and the pin is shown everywhere', async () => {
    notes.length = 0;
    await operate('pin', '1.2.0');
    await serves(2);
    // Also from an explicit pin.
    assert.match(await operate('rollback'), /^1\.1\.0\+1 is now served, whatever is deployed/);
    await serves(1);
    await deploy(2);
    await server.close();
    served = undefined;
    server = await start();
    await serves(1);
    const pinned = "pinned until 'unpin': 1.1.0+1 is served, 1.2.0+2 was deployed last";
    assert.equal(notes.at(-1), pinned);
    assert.equal(await (await fetch(`${server.url}/health/ready`)).text(), `ok\n${pinned}\n`);
    assert.match(
      await operate('list'),
      /\n1\.1\.0\+1 .* {2}served, pinned\nPinned until 'unpin': 1\.1\.0\+1 is served, 1\.2\.0\+2 was deployed last\.\nLast decided here on [-\d: ]{16}: 1\.1\.0\+1 rolled back to\.\n$/,
    );
    await deploy(3);
    await waitUntil(() => notes.at(-1)?.endsWith('1.3.0+3 was deployed last') ?? false);
    assert.equal(served, '1.1.0+1');
    assert.equal(await operate('unpin'), '1.3.0+3, the release deployed last, is now served.\n');
    await serves(3);
    assert.equal(await operate('unpin'), 'Nothing was pinned. 1.3.0+3, the release deployed last, is served.\n');
  });

  it('are pinned by their version, with or without its digest', async () => {
    await operate('pin', '1.2.0');
    await serves(2);
    await operate('pin', '1.1.0+1');
    await serves(1);
    await operate('unpin');
    await serves(3);
    await assert.rejects(operate('pin', '9.9.9'), {
      stderr: 'There is no release 9.9.9 here; there are 1.3.0+3, 1.2.0+2, 1.1.0+1\n',
    });
    await assert.rejects(operate('pin'), /list \| pin/);
  });

  it('are deployed again when an older build comes back', async () => {
    await deploy(2);
    await serves(2);
    assert.match(await operate('list'), /^1\.2\.0\+2 .*served, deployed last/);
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

  it('are removed after enough later ones, unless pinned', async () => {
    await operate('pin', '1.1.0');
    await serves(1);
    for (let version = 4; version < 4 + keptReleases; version += 1) {
      await deploy(version);
      await waitUntil(async () => (await status(scriptOf(version))) === 200);
    }
    await operate('unpin');
    await serves(3 + keptReleases);
    assert.equal(await status(scriptOf(2)), 404);
    assert.equal(await status(scriptOf(1)), 200);
  });
});
