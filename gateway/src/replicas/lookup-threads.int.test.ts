import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { startProgram } from '../testing/start-program.ts';
import { lookupThreads, type Destinations } from './lookup-threads.ts';

const destinations: Destinations = {
  SERVICES: new Map([
    ['clinic', ['http://clinic-1:4002', 'http://clinic-2:4002']],
    ['pharmacy', ['http://127.0.0.1:4003', 'http://[::1]:4003']],
  ]),
  REMOTES: new Map([['mf-clinic', ['http://front-ends:4101']]]),
  SHELL_URL: ['http://front-ends:4100'],
  AUTH_EMULATOR_URL: undefined,
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
};

test('half of the threads are as many as there are names to look up', () => {
  assert.equal(lookupThreads(destinations, undefined), 8);
  assert.equal(lookupThreads({ ...destinations, AUTH_EMULATOR_URL: 'http://emulator:9099' }, undefined), 10);
});

test(
  'the program has these threads',
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
    assert.equal(names.filter((name) => name === 'libuv-worker').length, 10);
  },
);
