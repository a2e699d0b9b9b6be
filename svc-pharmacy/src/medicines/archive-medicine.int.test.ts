import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Medicine } from '../contract/schemas.ts';
import { countByStatus, move, order, orderBody, problemOf, read, sharedPharmacy } from '../testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();
const pharmacist = pharmacy.as('pharmacist');
const patient = pharmacy.as('patient');
const email = 'patient@clinic.example';

const change = (id: string, json: object) => pharmacist(`/medicine/${id}`, { method: 'PATCH', json });
const idsOf = async (query: string): Promise<string[]> =>
  (await read(pharmacy.anonymous, 'listMedicines', `/medicine${query}`)).map(({ _id }) => _id.$oid);

test('an archived medicine is gone from the store and the inventory, and can be brought back', async () => {
  const { _id, medicineId, name } = await pharmacy.stockMedicine({ quantity: 5 });
  const id = _id.toHexString();
  await pharmacy.stockMedicine();
  const archived = await change(id, { archived: true });
  assert.equal(archived.status, 200);
  assert.equal(((await archived.json()) as Medicine).archived, true);
  assert.equal((await change(id, { archived: true })).status, 200);
  for (const query of ['', `?medicineIds=${medicineId}`, '?limit=50', `?q=${encodeURIComponent(name)}&limit=5`])
    assert.ok(!(await idsOf(query)).includes(id), query);
  for (const query of ['?archived=true', `?archived=true&medicineIds=${medicineId}`, '?archived=true&limit=5'])
    assert.deepEqual(await idsOf(query), [id], query);
  const problem = await problemOf(
    await patient('/orderMedi', { method: 'POST', json: orderBody(email, [{ medicineId, quantity: 1 }]) }),
    409,
  );
  assert.deepEqual(problem.lines, [{ medicineId, name, requested: 1, available: 0, reason: 'unknown' }]);
  assert.equal((await patient(`/medicine/${id}/back-in-stock`, { method: 'POST', json: {} })).status, 404);
  const report = await read(pharmacy.as('admin'), 'reportStock', '/medicine/report');
  assert.deepEqual([report.medicines, report.lowStock.count], [1, 0]);

  assert.equal((await change(id, { archived: false })).status, 200);
  assert.ok((await idsOf('')).includes(id));
  await order(patient, email, [{ medicineId, quantity: 1 }]);
  const events = await pharmacy.eventsOf(id);
  assert.deepEqual(
    events.map(({ action }) => action),
    ['archived', 'brought back', 'ordered'],
  );
});

test('the count of a list leaves archived medicines out', async () => {
  const { _id } = await pharmacy.stockMedicine({ name: 'Counted one' });
  await pharmacy.stockMedicine({ name: 'Counted two' });
  await pharmacy.stockMedicine({ name: 'Counted three' });
  assert.equal((await change(_id.toHexString(), { archived: true })).status, 200);
  const total = async (query: string) => (await pharmacist(`/medicine?limit=1${query}`)).headers.get('x-total-count');
  const all = await pharmacy.collections.medicines.countDocuments({ archived: { $ne: true } });
  assert.equal(await total(''), String(all));
  assert.equal(await total('&q=counted'), '2');
  assert.equal(await total('&status=in%20stock&q=counted'), '2');
});

test('an archived medicine keeps its orders: a cancelled one returns its units, and they can be written off', async () => {
  const { _id, medicineId } = await pharmacy.stockMedicine({ quantity: 5 });
  const id = _id.toHexString();
  const placed = await order(patient, email, [{ medicineId, quantity: 2 }]);
  assert.equal((await change(id, { archived: true })).status, 200);
  assert.equal((await move(patient, placed._id, 'Cancelled')).status, 200);
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 5);
  const adjusted = await pharmacist(`/medicine/${id}/adjustments`, {
    method: 'POST',
    json: { by: -5, reason: 'expired' },
  });
  assert.equal(adjusted.status, 200);
  assert.equal((await pharmacy.stockOf(medicineId)).status, 'out of stock');
});

test('nobody who orders while a medicine is archived gets it afterwards', async () => {
  const { _id, medicineId } = await pharmacy.stockMedicine({ quantity: 100 });
  const buy = (client: number) => {
    const buyer = `archived${client}@mail.example`;
    return pharmacy.as({ role: 'patient', email: buyer })('/orderMedi', {
      method: 'POST',
      json: orderBody(buyer, [{ medicineId, quantity: 1 }]),
    });
  };
  const [archived, ...orders] = await Promise.all([
    change(_id.toHexString(), { archived: true }),
    ...Array.from({ length: 20 }, (_, client) => buy(client)),
  ]);
  assert.equal(archived.status, 200);
  const outcomes = countByStatus(orders);
  assert.equal((outcomes[201] ?? 0) + (outcomes[409] ?? 0), 20, JSON.stringify(outcomes));
  const events = await pharmacy.eventsOf(_id.toHexString());
  const at = events.findIndex(({ action }) => action === 'archived');
  assert.ok(at >= 0);
  assert.equal((await pharmacy.stockOf(medicineId)).quantity, 100 - (outcomes[201] ?? 0));
  assert.equal((await buy(99)).status, 409);
});
