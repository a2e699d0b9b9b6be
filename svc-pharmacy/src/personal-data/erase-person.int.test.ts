import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceContext } from '@clinic/service-kit';
import { erasedEmail } from '@clinic/contracts/erased-person';
import { orderBody, sharedPharmacy } from '../testing/test-pharmacy.ts';
import { erasePerson } from './erase-person.ts';

const pharmacy = await sharedPharmacy();

test('a deletion that is interrupted at any point counts everything once', async () => {
  const email = 'counted@mail.example';
  const as = pharmacy.as({ role: 'patient', email });
  const { medicineId } = await pharmacy.stockMedicine();
  for (let ordered = 0; ordered < 3; ordered += 1) {
    const json = orderBody(email, [{ medicineId, quantity: 1 }]);
    assert.equal((await as('/orderMedi', { method: 'POST', json })).status, 201);
  }
  const { collections, context, db } = pharmacy;
  await collections.orders.updateOne({ customerEmail: email }, { $set: { status: 'Delivered' } });
  const id = pharmacy.issuer.idOf(email);
  const person = { id, email, addresses: [{ email, since: new Date(0), confirmed: true, others: [] }] };
  const counted = () =>
    db.collection<{ _id: string; events: number }>('erasures').findOne({ _id: id }, { projection: { reached: 0 } });

  /** A process that is killed after some transactions. */
  const killedAfter = (transactions: number): typeof context => {
    let done = 0;
    const inTransaction: ServiceContext['inTransaction'] = async (work) => {
      if (done === transactions) throw new Error('killed');
      done += 1;
      return context.inTransaction(work);
    };
    return { ...context, inTransaction };
  };
  const erase = (by: typeof context) => erasePerson(by, { person, requestId: 'deletion' }, Infinity);
  let kills = 0;
  for (; kills < 20; kills += 1) {
    try {
      await erase(killedAfter(1));
      break;
    } catch (error) {
      assert.equal((error as Error).message, 'killed');
    }
  }
  assert.ok(kills > 3, 'each order has a transaction of its own');
  const { done, ...more } = await erase(context);
  assert.deepEqual([done, more], [true, {}]);
  const events = await db.collection('events').countDocuments({ people: erasedEmail(id) });
  assert.ok(events > 0);
  assert.deepEqual(await counted(), { _id: id, records: 3, cancelled: 2, events });
});
