import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foundations, programsOf, served } from './programs.ts';
import { frontEnds, services } from './parts.ts';
import { readSettings } from './settings.ts';

const names = [...foundations, ...frontEnds, ...services, 'gateway', served];
const ports = new Map(names.map((name, index) => [name, 8400 + index]));

test('every service writes links with the address that the start prints', () => {
  const programs = programsOf(readSettings({}, []), ports).flat();
  const writing = programs.filter(({ name }) => name.startsWith('svc-'));
  assert.equal(writing.length, services.length);
  for (const { name, env } of writing)
    assert.equal(env['PUBLIC_URL'], `http://localhost:${ports.get('gateway')}`, name);
});

test('the gateway leaves room for a local build where one is served, and only there', () => {
  const roomFor = (...args: string[]) =>
    programsOf(readSettings({}, args), ports)
      .flat()
      .find(({ name }) => name === 'gateway')?.env['REMOTE_OVERRIDES'];
  assert.deepEqual([roomFor('--watch', 'mf-clinic'), roomFor('--watch'), roomFor()], ['true', 'false', 'false']);
});
