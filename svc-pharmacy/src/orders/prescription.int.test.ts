import { erasedEmail, noEmail } from '@clinic/contracts/erased-person';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '../contract/order-schemas.ts';
import { findCustomerAccounts } from '../accounts/customer-accounts.ts';
import { countByStatus, fieldsOf, orderBody, problemOf, read, sharedPharmacy } from '../testing/test-pharmacy.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

const pharmacy = await sharedPharmacy();
const pharmacist = pharmacy.as('pharmacist');
const patient = pharmacy.as('patient');
const email = 'patient@clinic.example';
const prescription = { date: '2006-01-15', prescriber: 'Dr. Sara Rahman' };

const place = (medicineId: string, as = patient, by = email) =>
  as('/orderMedi', { method: 'POST', json: orderBody(by, [{ medicineId, quantity: 1 }]) });
const counterBody = (medicineId: string, more: object = {}) => ({
  items: [{ medicineId, quantity: 2 }],
  recipientName: 'Nadia Rahman',
  customeremail: email,
  customerPhone: '+880 1555 010400',
  prescription,
  ...more,
});
const enter = (json: object, as = pharmacist, key?: string) =>
  as('/orderMedi/counter', { method: 'POST', json, ...(key && { headers: { 'Idempotency-Key': key } }) });

test('the store shows a prescription-only medicine, and sells it to nobody, staff included', async () => {
  const { medicineId, name, _id } = await pharmacy.stockMedicine({ prescriptionOnly: true });
  const [shown] = await read(pharmacy.anonymous, 'listMedicines', `/medicine?medicineIds=${medicineId}`);
  assert.equal(shown?.medicine.prescriptionOnly, true);
  for (const [as, by] of [
    [patient, email],
    [pharmacist, 'pharmacist@clinic.example'],
  ] as const) {
    const problem = await problemOf(await place(medicineId, as, by), 409);
    assert.equal(problem.code, 'prescription_needed');
    assert.equal(
      problem.detail,
      `${name} needs a prescription: bring it to our pharmacy counter. We haven’t placed your order.`,
    );
    assert.deepEqual(problem.lines, [{ medicineId, name, requested: 1, available: 0, reason: 'prescription' }]);
  }
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 100);
  assert.deepEqual(await pharmacy.eventsOf(_id.toHexString()), []);
});

test('an order of another medicine with it fails whole', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ prescriptionOnly: true });
  const other = await pharmacy.stockMedicine();
  const items = [medicineId, other.medicineId].map((id) => ({ medicineId: id, quantity: 1 }));
  const problem = await problemOf(await patient('/orderMedi', { method: 'POST', json: orderBody(email, items) }), 409);
  assert.equal(problem.code, 'prescription_needed');
  assert.equal((await pharmacy.stockOf(other.medicineId)).quantity, 100);
});

test('a pharmacist sets and removes the flag, by hand and by import, with history and a new ETag', async () => {
  const { _id, medicineId } = await pharmacy.stockMedicine();
  const change = (prescriptionOnly: boolean) =>
    pharmacist(`/medicine/${_id.toHexString()}`, { method: 'PATCH', json: { prescriptionOnly } });
  const before = (await pharmacist(`/medicine/${_id.toHexString()}`)).headers.get('etag');
  const flagged = await change(true);
  assert.notEqual(flagged.headers.get('etag'), before);
  assert.equal((await place(medicineId)).status, 409);
  const removed = await change(false);
  assert.equal(removed.headers.get('etag'), before);
  assert.equal((await place(medicineId)).status, 201);
  const events = await pharmacy.eventsOf(_id.toHexString(), { action: 'edited' });
  assert.deepEqual(
    events.map(({ before: was, after: is }) => [was, is]),
    [
      [{ prescriptionOnly: false }, { prescriptionOnly: true }],
      [{ prescriptionOnly: true }, { prescriptionOnly: false }],
    ],
  );
  const medicine = { name: 'Imported', quantity: 1, expiryDate: '2999-01-01', pricePerUnit: 1, prescriptionOnly: true };
  const imported = await pharmacist('/medicine/import', { method: 'POST', json: { medicines: [medicine] } });
  assert.equal(imported.status, 201);
  assert.equal((await pharmacy.collections.medicines.findOne({ name: 'Imported' }))?.prescriptionOnly, true);
});

test('nobody who orders while the flag is set gets the medicine afterwards', async () => {
  const { _id, medicineId } = await pharmacy.stockMedicine();
  const id = _id.toHexString();
  const [flagged, ...orders] = await Promise.all([
    pharmacist(`/medicine/${id}`, { method: 'PATCH', json: { prescriptionOnly: true } }),
    ...Array.from({ length: 30 }, (_, client) => {
      const buyer = `flagged${client}@mail.example`;
      return place(medicineId, pharmacy.as({ role: 'patient', email: buyer }), buyer);
    }),
  ]);
  assert.equal(flagged.status, 200);
  const outcomes = countByStatus(orders);
  assert.equal((outcomes[201] ?? 0) + (outcomes[409] ?? 0), 30, JSON.stringify(outcomes));
  // In the order of the database: no sale comes after the flag.
  const rows = await pharmacy.db.collection('events').find({ 'record.id': id }).sort({ _id: 1 }).toArray();
  const committed = rows.map((row) => row['action'] as string);
  assert.equal(committed.filter((action) => action === 'ordered').length, outcomes[201] ?? 0);
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 100 - (outcomes[201] ?? 0));
  assert.equal((await place(medicineId)).status, 409);
});

test('staff enter an order with its prescription at the counter; it belongs to the patient’s account', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ prescriptionOnly: true });
  // The patient's account is known here once it has used the service.
  assert.equal((await patient(`/orderMedi?email=${email}`)).status, 200);
  const entered = await readJson<Order>(enter(counterBody(medicineId)), 201);
  assert.deepEqual(
    [entered.prescription, entered.recipientName, entered.deliveryAddress, entered.status, entered.unusual],
    [prescription, 'Nadia Rahman', 'Collected at our pharmacy counter', 'pending', undefined],
  );
  assert.equal(entered.collected, true);
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 98);
  const delivered = await enter(counterBody(medicineId, { deliveryAddress: '5 Lake Road' }));
  assert.equal(((await delivered.json()) as Order).collected, undefined);
  const announced = await pharmacy.db.collection('outbox').find({ kind: 'order-placed' }).toArray();
  assert.deepEqual(
    announced.slice(-2).map(({ data }) => (data as { order: { collected?: boolean } }).order.collected),
    [true, undefined],
  );
  const own = await read(patient, 'listOrders', `/orderMedi?email=${email}`);
  assert.deepEqual(own.find(({ _id }) => _id === entered._id)?.prescription, prescription);
  const [event] = await pharmacy.eventsOf(entered._id);
  assert.deepEqual(
    [event?.action, event?.actor?.email, event?.after],
    ['entered at the counter', 'pharmacist@clinic.example', { status: 'pending', prescription }],
  );
  assert.equal((await enter(counterBody(medicineId), pharmacy.as('admin'))).status, 201);
  for (const as of [patient, pharmacy.as('doctor')])
    assert.equal((await enter(counterBody(medicineId), as)).status, 403);
});

test('an order for an address that nobody has confirmed joins the account that confirms it, never the pharmacist’s', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ prescriptionOnly: true });
  const later = 'later@mail.example';
  const { _id } = (await (await enter(counterBody(medicineId, { customeremail: later }))).json()) as Order;
  assert.equal(await findCustomerAccounts(pharmacy.db), 0);
  const order = () => pharmacy.collections.orders.findOne({ customerEmail: later });
  assert.equal((await order())?.customerId, undefined);
  const own = await read(pharmacy.as({ role: 'patient', email: later }), 'listOrders', `/orderMedi?email=${later}`);
  assert.deepEqual(
    own.map((row) => row._id),
    [_id],
  );
  assert.equal((await order())?.customerId, pharmacy.issuer.idOf(later));
});

test('a counter order needs a prescription of today or earlier, a patient and what is in stock, once per key', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ prescriptionOnly: true, quantity: 3 });
  for (const [more, fields] of [
    [{ prescription: undefined }, ['prescription']],
    [{ prescription: { date: '2999-01-01', prescriber: 'Dr. X' } }, ['prescription.date']],
    [{ prescription: { date: '15/01/2026', prescriber: '' } }, ['prescription.date', 'prescription.prescriber']],
    [{ recipientName: ' ' }, ['recipientName']],
    [{ customeremail: 'nobody' }, ['customeremail']],
    [{ deliveryAddress: 'x'.repeat(201) }, ['deliveryAddress']],
  ] as const)
    assert.deepEqual(await fieldsOf(await enter(counterBody(medicineId, more))), fields, JSON.stringify(more));
  const answers = await Promise.all([1, 2, 3].map(() => enter(counterBody(medicineId), pharmacist, 'counter')));
  assert.ok(answers.some(({ status }) => status === 201));
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 1);
  assert.equal((await problemOf(await enter(counterBody(medicineId)), 409)).code, 'stock_short');
  const delivered = await enter(
    counterBody(medicineId, { items: [{ medicineId, quantity: 1 }], deliveryAddress: '5 Lake Road' }),
  );
  assert.equal(((await delivered.json()) as Order).deliveryAddress, '5 Lake Road');
});

test('an order at the counter is for somebody whom a deletion can find', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ prescriptionOnly: true });
  for (const customeremail of [noEmail('a'.repeat(24)), erasedEmail('a'.repeat(24))]) {
    const problem = await problemOf(await enter(counterBody(medicineId, { customeremail })), 400);
    assert.deepEqual(problem.errors, [{ field: 'customeremail', message: 'This isn’t somebody’s email address' }]);
  }
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 100);
});

test('an order in the name of another account is asked about where the front-end can, in no case told whose it is', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ prescriptionOnly: true });
  const address = 'rahim@mail.example';
  pharmacy.issuer.setStanding(pharmacy.issuer.idOf(address), { active: true, role: 'patient', name: 'Rahim Uddin' });
  const send = (more: object, key?: string) =>
    enter(counterBody(medicineId, { customeremail: address, ...more }), pharmacist, key);
  const problem = await problemOf(await send({ otherName: false }, 'asked'), 400);
  assert.deepEqual(problem.errors, [{ field: 'otherName', message: 'This is an account in another name' }]);
  assert.doesNotMatch(JSON.stringify(problem), /Rahim|Uddin/);
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 100);
  for (const more of [
    { otherName: true },
    {},
    { otherName: false, recipientName: ' rahim  UDDIN ' },
    { otherName: false, customeremail: 'nameless@mail.example' },
  ])
    assert.equal((await send(more)).status, 201, JSON.stringify(more));
  // Entered before, when the account had the patient's name: the answer was lost.
  const again = () => send({ otherName: false, recipientName: 'Rahim Uddin' }, 'again');
  const { _id } = await readJson<Order>(again(), 201);
  pharmacy.issuer.setStanding(pharmacy.issuer.idOf(address), { active: true, role: 'patient', name: 'Rahim Khan' });
  assert.equal((await readJson<Order>(again(), 201))._id, _id);
  assert.equal((await problemOf(await send({ otherName: false, recipientName: 'Rahim Uddin' }), 400)).status, 400);
});
