import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foundations, programsOf } from './programs.ts';
import { frontEnds, services } from './parts.ts';
import { readSettings } from './settings.ts';

test('every service writes links with the address that the start prints', () => {
  const names = [...foundations, ...frontEnds, ...services, 'gateway'];
  const ports = new Map(names.map((name, index) => [name, 8400 + index]));
  const programs = programsOf(readSettings({}, []), ports).flat();
  const writing = programs.filter(({ name }) => name.startsWith('svc-'));
  assert.equal(writing.length, services.length);
  for (const { name, env } of writing)
    assert.equal(env['PUBLIC_URL'], `http://localhost:${ports.get('gateway')}`, name);
});
