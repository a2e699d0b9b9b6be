import assert from 'node:assert/strict';
import { it } from 'node:test';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { echo, serve } from './testing/servers.ts';
import { realProject, startGateway } from './testing/start-gateway.ts';

it('a demo’s gateway is ready once sign-in has started, and stays so; a real one doesn’t wait', async () => {
  const port = await holdPort();
  await using gateway = await startGateway({ AUTH_EMULATOR_URL: `http://127.0.0.1:${port}` }, { pollEveryMs: 20 });
  const status = async (): Promise<number> => (await gateway.ask('/health/ready')).status;
  assert.equal(await status(), 503);
  const emulator = await serve(echo('emulator'), port);
  await waitUntil(async () => (await status()) === 200);
  await emulator.close();
  await gateway.gateway.poll();
  assert.equal(await status(), 200);
  await using real = await startGateway(realProject);
  assert.equal((await real.ask('/health/ready')).status, 200);
});
