import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { it } from 'node:test';
import { clinicRoutes } from '@clinic/contracts/clinic/routes';
import callTableLoader from './call-table-loader.ts';

it('keeps every call with what a browser needs to make it, and nothing about its errors', async () => {
  const resourcePath = fileURLToPath(import.meta.resolve('@clinic/contracts/clinic/routes'));
  const code = await callTableLoader.call({ resourcePath });
  const reduced = JSON.parse(code.slice('export const clinicRoutes = '.length, -1)) as Record<string, unknown>;
  assert.deepEqual(Object.keys(reduced), Object.keys(clinicRoutes));
  assert.deepEqual(reduced['bookAppointment'], {
    service: 'clinic',
    method: 'POST',
    path: '/appoinments',
    idempotent: true,
    access: { kind: 'restricted' },
  });
});
