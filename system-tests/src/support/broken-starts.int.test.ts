// A start that fails half-way leaves no process, no server and no folder behind.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test, type TestContext } from 'node:test';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { familyOf } from '../../../bench/src/support/processes.ts';
import { openTestEnvironment } from '../../../e2e/src/support/test-environment.ts';
import { openOwnClinic } from '../../../e2e/src/support/start-clinic.ts';
import { startReplicatedClinic } from '../restarts/replicated-clinic.ts';
import { startChaosStack } from '../soak/chaos-stack.ts';
import { startThreeServices } from './three-services.ts';
import { startWholeClinic } from './whole-clinic.ts';

/** No program starts with it. */
const broken = { LOG_LEVEL: 'loud' };

/** A port that another program has. */
async function takenPort(t: TestContext): Promise<string> {
  const port = await holdPort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return String(port);
}

const servers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

describe('a start that fails', { skip: process.platform !== 'linux' && 'looks into /proc' }, () => {
  const before = process.env['TMPDIR'];
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'broken-starts-'));
    process.env['TMPDIR'] = folder;
  });
  afterEach(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true });
  });

  /** Expects the start to fail, and nothing to be left of it. @param ownServers - of the test itself */
  async function leavesNothing(start: () => Promise<unknown>, error: RegExp, ownServers = 0): Promise<void> {
    await assert.rejects(start, error);
    assert.deepEqual(familyOf(process.pid), [process.pid]);
    assert.deepEqual(readdirSync(folder), []);
    await waitUntil(() => assert.equal(servers(), ownServers));
  }

  test('of the services in one process, by a setting', () =>
    leavesNothing(() => startThreeServices({ env: broken }), /LOG_LEVEL/));

  test('of services, front-ends and a gateway, by a taken port', async (t) => {
    const METRICS_PORT = await takenPort(t);
    await leavesNothing(() => startWholeClinic({ env: { METRICS_PORT } }), /EADDRINUSE|taken/, 1);
  });

  test('of replicas, by a gateway that exits', () =>
    leavesNothing(() => startReplicatedClinic(broken), /ended with 1/));

  test('of all processes with the ways to break them, by services that exit', () =>
    leavesNothing(() => startChaosStack({ gateways: 1, replicas: 2 }, broken), /ended with code 1/));

  test('of the application, by a taken port', async (t) => {
    const PORT = await takenPort(t);
    await leavesNothing(() => openOwnClinic({ PORT }), /is taken by another program/, 1);
  });

  test('of a test’s own front-ends, by a gateway that exits', () =>
    leavesNothing(
      () =>
        openTestEnvironment('http://127.0.0.1:9', {
          previous: ['shell', 'mf-public', 'mf-clinic', 'mf-pharmacy', 'mf-admin'],
          gateway: broken,
        }),
      /gateway ended with 1/,
    ));
});
