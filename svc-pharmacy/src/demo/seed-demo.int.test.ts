import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, clinicMoment } from '@clinic/contracts';
import { pharmacyCalls } from '../contract/calls.ts';
import { demoAccounts } from '@clinic/demo-data';
import { holdClock } from '@clinic/service-kit/testing/hold-clock';
import { startService } from '@clinic/service-kit';
import { medicineUnits } from '../contract/limits.ts';
import { medicineStatuses, orderStatuses } from '../contract/transitions.ts';
import { toMedicine } from '../medicines/medicine-record.ts';
import { usualLimits } from '../medicines/household-limits.ts';
import { toOrder } from '../orders/order-record.ts';
import { pharmacyService } from '../service.ts';
import { read, startPharmacy } from '../testing/test-pharmacy.ts';

test('the demo pharmacy is complete, and written once however many replicas start', async (t) => {
  holdClock(t);
  const pharmacy = await startPharmacy({ DEMO_MODE: 'true' });
  t.after(() => pharmacy.close());
  const { MONGODB_URI, MONGODB_DATABASE, IDENTITY_URL } = pharmacy.context.settings;
  const env = {
    PORT: '0',
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DEMO_MODE: 'true',
    MONGODB_URI,
    MONGODB_DATABASE,
    IDENTITY_URL: IDENTITY_URL.join(),
  };
  const others = await Promise.all([startService(pharmacyService, { env }), startService(pharmacyService, { env })]);
  t.after(() => Promise.all(others.map((other) => other.close())));

  const medicines = await pharmacy.collections.medicines.find().toArray();
  assert.equal(medicines.length, 36);
  for (const medicine of medicines) pharmacyCalls.addMedicine.response.parse(toMedicine(medicine, usualLimits));
  assert.deepEqual(new Set(medicines.map(({ unit }) => unit)), new Set<string>(medicineUnits));
  assert.deepEqual(new Set(medicines.map(({ status }) => status)), new Set(medicineStatuses));
  const { date: today } = clinicMoment(new Date(), 'Asia/Dhaka');
  assert.equal(medicines.filter(({ expiryDate }) => expiryDate < today).length, 1);
  assert.equal(medicines.filter(({ expiryDate }) => expiryDate >= today && expiryDate < addDays(today, 30)).length, 2);

  const orders = await pharmacy.collections.orders.find().toArray();
  assert.equal(orders.length, 25);
  for (const order of orders) pharmacyCalls.placeOrder.response.parse(toOrder(order));
  assert.deepEqual(new Set(orders.map(({ status }) => status)), new Set(orderStatuses));
  assert.ok(orders.filter(({ customerEmail }) => customerEmail === demoAccounts.patient).length >= 5);

  const ofPatient = await read(
    pharmacy.as('admin'),
    'listPharmacyEvents',
    `/orderMedi/events?person=${demoAccounts.patient}`,
  );
  const own = orders
    .filter(({ customerEmail }) => customerEmail === demoAccounts.patient)
    .map(({ _id }) => _id.toHexString());
  assert.deepEqual(
    new Set(ofPatient.map(({ record }) => record.id)),
    new Set(own),
    'the history of a customer is found by who they are',
  );

  const response = await pharmacy.as('pharmacist')('/medicine', {
    method: 'POST',
    json: { medicine: { name: 'New', quantity: 1, expiryDate: '2999-01-01', pricePerUnit: 1 } },
  });
  const { medicine } = pharmacyCalls.addMedicine.response.parse(await response.json());
  assert.equal(medicine.medicineId, 'MED-0037');
});
