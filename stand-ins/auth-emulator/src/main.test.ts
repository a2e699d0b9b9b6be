import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';

const main = join(import.meta.dirname, 'main.ts');

interface Launched {
  readonly child: ChildProcess;
  readonly stdout: Readable;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

interface Running extends Launched {
  readonly url: string;
}

describe('auth-emulator process', () => {
  let dataDir: string;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'auth-emulator-'));
  });

  after(() => rm(dataDir, { recursive: true }));

  function launch(env: Record<string, string> = {}): Launched {
    const child = spawn(process.execPath, [main], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        AUTH_EMULATOR_PORT: '0',
        AUTH_EMULATOR_DATA_DIR: dataDir,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const { stdout: output, stderr: errors } = child;
    assert.ok(output && errors);
    const ended = Promise.all([once(child, 'exit'), text(output), text(errors)]).then(([[code], stdout, stderr]) => ({
      code: code as number | null,
      stdout,
      stderr,
    }));
    return { child, stdout: output, ended };
  }

  async function start(env: Record<string, string> = {}): Promise<Running> {
    const launched = launch(env);
    const line = await Promise.race([
      once(launched.stdout, 'data').then(([data]) => String(data)),
      launched.ended.then(({ stderr }) => assert.fail(stderr)),
    ]);
    const { msg, url } = JSON.parse(line) as { msg: string; url: string };
    assert.equal(msg, 'listening');
    return { ...launched, url };
  }

  async function call(
    url: string,
    operation: 'signUp' | 'signInWithPassword',
    email: string,
  ): Promise<string | undefined> {
    const response = await fetch(`${url}/identitytoolkit.googleapis.com/v1/accounts:${operation}?key=any`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'correct horse', returnSecureToken: true }),
    });
    return ((await response.json()) as { localId?: string }).localId;
  }

  it('keeps an account that was signed up right before kill -9', async () => {
    const first = await start();
    const uid = await call(first.url, 'signUp', 'killed@example.org');
    first.child.kill('SIGKILL');
    await first.ended;
    assert.ok(uid);

    const second = await start();
    assert.equal(await call(second.url, 'signInWithPassword', 'killed@example.org'), uid);
    second.child.kill('SIGTERM');
    await second.ended;
  });

  it('creates its file readable by its owner only', async () => {
    assert.deepEqual(await readdir(dataDir), ['demo-clinic.json']);
    assert.equal((await stat(join(dataDir, 'demo-clinic.json'))).mode & 0o777, 0o600);
  });

  for (const [how, stop] of [
    ['SIGTERM', (child: ChildProcess) => child.kill('SIGTERM')],
    ['the end of its parent', (child: ChildProcess) => child.disconnect()],
  ] as const) {
    it(`stops cleanly on ${how}, with everything written and a single line of output`, async () => {
      const { child, url, ended } = await start();
      const email = `${how.replaceAll(' ', '-').toLowerCase()}@example.org`;
      await call(url, 'signUp', email);
      const lastLogin = async () => {
        const { users } = JSON.parse(await readFile(join(dataDir, 'demo-clinic.json'), 'utf8')) as {
          users: { email: string; lastRefreshAt: string }[];
        };
        return users.find((user) => user.email === email)?.lastRefreshAt;
      };
      const signedUp = await lastLogin();
      await call(url, 'signInWithPassword', email);
      stop(child);
      const { code, stdout, stderr } = await ended;

      assert.equal(code, 0);
      assert.equal(stdout.trimEnd().split('\n').length, 1);
      assert.equal(stderr, '');
      assert.notEqual(await lastLogin(), signedUp);
    });
  }

  it('names port and setting if the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stdout, stderr } = await launch({ AUTH_EMULATOR_PORT: String(port) }).ended;
    other.close();
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.equal(
      stderr,
      `auth-emulator: port ${port} of 127.0.0.1 is taken by another program; set AUTH_EMULATOR_PORT to a free one, for example ${port + 1}\n`,
    );
  });

  it('won’t start in production unless it is a demo', async () => {
    const { code, stderr } = await launch({ NODE_ENV: 'production' }).ended;
    assert.equal(code, 1);
    assert.match(stderr, /^auth-emulator: [^\n]*NODE_ENV=production[^\n]*DEMO_MODE=true[^\n]*\n$/);

    const demo = await start({ NODE_ENV: 'production', DEMO_MODE: 'true' });
    demo.child.kill('SIGTERM');
    assert.equal((await demo.ended).code, 0);
  });
});
