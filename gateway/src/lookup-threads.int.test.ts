import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { startProgram } from './testing/start-program.ts';

test(
  'the program has threads enough to look up every name at once',
  { timeout: 60_000, skip: process.platform !== 'linux' && 'reads /proc' },
  async () => {
    const away = (name: string): string => `http://${name}.invalid:1`;
    await using gateway = await startProgram({
      SERVICES: `clinic=${away('clinic')},pharmacy=${away('pharmacy')},identity=${away('identity')}`,
      SHELL_URL: away('shell'),
      REMOTES: `mf-clinic=${away('mf-clinic')}`,
    });
    const tasks = `/proc/${gateway.pid}/task`;
    const names = readdirSync(tasks).map((id) => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim());
    assert.equal(names.filter((name) => name === 'libuv-worker').length, 64);
  },
);
