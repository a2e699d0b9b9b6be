import assert from 'node:assert/strict';
import { addDays, clinicMoment } from '@clinic/contracts';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { TestFetch } from '@clinic/service-kit/testing';
import { readJson } from '@clinic/service-kit/testing/read-json';

/** Whether a medicine of the demo isn't among those that expire soon. */
export const keepsLong = (expiryDate: string): boolean =>
  expiryDate > addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 180);

/** A medicine of the demo that anybody can order in the store, for a test that needs no other. */
export async function orderableMedicine(pharmacy: TestFetch): Promise<Medicine> {
  const medicines = await readJson<Medicine[]>(pharmacy('/medicine'));
  return (
    medicines.find(
      ({ status, medicine: { expiryDate, quantity, prescriptionOnly } }) =>
        !prescriptionOnly && status === 'in stock' && keepsLong(expiryDate) && Number(quantity.$numberInt) >= 100,
    ) ?? assert.fail('no medicine can be ordered')
  );
}
