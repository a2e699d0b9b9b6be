import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Look } from '@clinic/contracts';
import { looksWritten } from '@clinic/service-kit';
import { order, problemOf, stockMedicine, sharedPharmacy, type TestPharmacy } from './testing/test-pharmacy.ts';

const ann = { role: 'patient', email: 'ann@mail.example' } as const;
const ben = { role: 'patient', email: 'ben@mail.example' } as const;

const pharmacy = await sharedPharmacy();

async function read<T>(who: Parameters<TestPharmacy['as']>[0], path: string): Promise<T> {
  const answer = await pharmacy.as(who)(path);
  assert.equal(answer.status, 200, path);
  const body = (await answer.json()) as T;
  await looksWritten(pharmacy.db);
  return body;
}

const lookedAt = async (email: string): Promise<string[]> =>
  (await read<Look[]>('admin', `/orderMedi/looks?email=${email}`))
    .map(({ by, how, what }) => `${by.email} ${how} ${what}`)
    .toSorted();

test('shows a customer which staff opened, searched or exported their orders', async () => {
  const { medicineId } = await stockMedicine(pharmacy);
  const { _id } = await order(pharmacy.as(ann), ann.email, [{ medicineId, quantity: 1 }]);
  await order(pharmacy.as(ben), ben.email, [{ medicineId, quantity: 1 }]);
  await read('pharmacist', '/orderMedi?limit=20');
  await read(ann, `/orderMedi?email=${ann.email}`);
  await read(ann, `/orderMedi/${_id}/history`);
  assert.deepEqual(await lookedAt(ann.email), []);
  await read('pharmacist', `/orderMedi/${_id}/history`);
  await read('admin', `/orderMedi/export?email=${ann.email}`);
  assert.deepEqual(await lookedAt(ann.email), [
    'admin@clinic.example exported orders',
    'pharmacist@clinic.example opened orders',
  ]);
  await read('pharmacist', `/orderMedi?q=${encodeURIComponent(ben.email)}&limit=20`);
  assert.deepEqual(await lookedAt(ben.email), ['pharmacist@clinic.example searched orders']);

  const own = await read<Look[]>(ann, `/orderMedi/looks?email=${ann.email}`);
  assert.deepEqual(own.map(({ by }) => JSON.stringify(by)).toSorted(), ['{"role":"admin"}', '{"role":"pharmacist"}']);
  await problemOf(await pharmacy.as(ben)(`/orderMedi/looks?email=${ann.email}`), 403);
  await problemOf(await pharmacy.as('pharmacist')(`/orderMedi/looks?email=${ann.email}`), 403);
});
