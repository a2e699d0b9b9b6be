import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProgram } from './testing/start-program.ts';

test('a setting of an earlier release is reported once, and the gateway starts', { timeout: 60_000 }, async () => {
  const nothing = 'http://127.0.0.1:1';
  await using gateway = await startProgram({
    WORKERS: 'auto',
    SERVICES: `clinic=${nothing}`,
    SHELL_URL: nothing,
    REMOTES: `mf-public=${nothing}`,
  });
  const said = gateway.log.filter(({ msg }) => msg === 'this setting is gone and has no effect');
  assert.deepEqual(
    said.map(({ level, setting }) => [level, setting]),
    [['warn', 'WORKERS']],
  );
});
