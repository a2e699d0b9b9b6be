// Tests the guarantees of `npm start` on the real application.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { demoAccounts, demoPassword } from '@clinic/demo-data';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { services } from './parts.ts';
import { foundations } from './programs.ts';
import { root } from './settings.ts';

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves once the address is printed; rejects if the command exits first. */
  readonly open: Promise<void>;
  readonly ended: Promise<number | null>;
}

describe('npm start', { timeout: 300_000 }, () => {
  let dataDir: string;
  const runs: Run[] = [];

  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'clinic-start-'));
  });
  after(async () => {
    for (const { child, ended } of runs) {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
        process.kill(-child.pid, 'SIGINT');
      await ended;
    }
    rmSync(dataDir, { recursive: true, force: true });
  });

  function start(port: number): Run {
    // As from a terminal: a separate process group, which gets Ctrl-C as a whole.
    const child = spawn('npm', ['start'], {
      cwd: root,
      env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const ended = once(child, 'close').then(([code]) => code as number | null);
    const open = new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString();
          if (output.includes(`http://localhost:${port}`) && output.includes('Ready.')) resolve();
        });
      }
      void ended.then((code) => reject(new Error(`ended with ${code}:\n${output}`)));
    });
    open.catch(() => undefined);
    const run = { child, output: () => output, open, ended };
    runs.push(run);
    return run;
  }

  test('names the port that is taken and how to choose another, and starts nothing', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const run = start(port);
    assert.equal(await run.ended, 1);
    assert.match(run.output(), new RegExp(`Port ${port} is taken by another program.*PORT=${port + 1} npm start`));
    assert.deepEqual(processesOn(dataDir), []);
    other.close();
  });

  test('rejects an invalid port, with an example', async () => {
    const child = spawn('npm', ['start'], { cwd: root, env: { ...process.env, PORT: 'eighty', DATA_DIR: dataDir } });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 1);
    assert.match(output, /PORT is 'eighty', but must be a port number from 1 to 65535, e\.g\. PORT=8080\./);
  });

  test('starts with other ports if one is taken after it was chosen, prints the address and the demo accounts, keeps its data after kill -9 and a restart, and leaves no process after Ctrl-C', async () => {
    // Its other ports follow a hundred higher, beyond those that other tests hold.
    const port = await holdPort(29_950);
    const first = start(port);
    const taker = await takeServicesPort(first, port);
    await first.open;
    taker.close();
    assert.match(first.output(), /Another program took one of the chosen ports; starting again with others/);
    for (const email of Object.values(demoAccounts)) assert.ok(first.output().includes(email), email);
    assert.ok(first.output().includes(demoPassword));

    const cookie = await signIn(port, demoAccounts.patient);
    const before = await get(port, `/appoinments?email=${demoAccounts.patient}`, cookie);
    const [cancelled] = (before as { _id: string; status: string }[]).filter(({ status }) => status === 'Pending');
    assert.ok(cancelled, 'the demo patient has a pending appointment');
    const change = await fetch(`http://localhost:${port}/update-appoinment/${cancelled._id}`, {
      method: 'PATCH',
      headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ newStatus: 'Cancelled' }),
    });
    assert.equal(change.status, 200);

    assert.ok(first.child.pid);
    process.kill(-first.child.pid, 'SIGKILL');
    await first.ended;

    const second = start(port);
    await second.open;
    const again = (await get(
      port,
      `/appoinments?email=${demoAccounts.patient}`,
      await signIn(port, demoAccounts.patient),
    )) as { _id: string; status: string }[];
    assert.equal(again.length, (before as unknown[]).length);
    assert.equal(again.find(({ _id }) => _id === cancelled._id)?.status, 'Cancelled');

    assert.ok(second.child.pid);
    process.kill(-second.child.pid, 'SIGINT');
    // npm itself is ended by the signal, once its child has exited.
    await second.ended;
    assert.match(second.output(), /Stopped\.\n$/);
    assert.deepEqual(processesOn(dataDir), []);
  });
});

/** Takes the port of the first service, which starts after the databases. */
async function takeServicesPort({ child, output, open }: Run, port: number): Promise<Server> {
  assert.ok(services.length > 0);
  const taker = createServer();
  let begun = false;
  const taking = new Promise<void>((resolve, reject) => {
    taker.once('error', reject).once('listening', resolve);
    child.stdout?.on('data', () => {
      if (begun || !output().includes('Starting mongo')) return;
      begun = true;
      taker.listen(port + 100 + foundations.length, '127.0.0.1');
    });
  });
  await Promise.race([taking, open]);
  assert.ok(taker.listening);
  return taker;
}

/** Command lines of the processes started for this data, from /proc. */
function processesOn(dataDir: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return environment.includes(`DATA_DIR=${dataDir}`)
          ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
          : [];
      } catch {
        // It has exited, or we may not read it.
        return [];
      }
    });
}

/** Signs in like the browser: the identity provider's REST call, then our session; returns the cookies. */
async function signIn(port: number, email: string): Promise<string> {
  const origin = `http://localhost:${port}`;
  const proof = await fetch(`${origin}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: demoPassword, returnSecureToken: true }),
  });
  assert.equal(proof.status, 200);
  const { idToken } = (await proof.json()) as { idToken: string };
  const session = await fetch(`${origin}/jwt`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${idToken}`,
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ email }),
  });
  assert.equal(session.status, 200);
  return session.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function get(port: number, path: string, cookie: string): Promise<unknown> {
  const response = await fetch(`http://localhost:${port}${path}`, { headers: { cookie } });
  assert.equal(response.status, 200);
  return response.json();
}
