import assert from 'node:assert/strict';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { TestFetch } from '@clinic/service-kit/testing';
import { readJson } from '@clinic/service-kit/testing/read-json';

/** A medicine of the demo that anybody can order in the store, for a test that needs no other. */
export async function orderableMedicine(pharmacy: TestFetch): Promise<Medicine> {
  const medicines = await readJson<Medicine[]>(pharmacy('/medicine'));
  return (
    medicines.find(
      ({ status, medicine: { expiryDate, quantity, prescriptionOnly } }) =>
        !prescriptionOnly && status === 'in stock' && expiryDate > '2027-06' && Number(quantity.$numberInt) >= 100,
    ) ?? assert.fail('no medicine can be ordered')
  );
}
