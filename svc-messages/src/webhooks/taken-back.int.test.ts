import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, test } from 'node:test';
import type { TakenEntry, VisitInMessage } from '@clinic/contracts/outbox/entries';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { storeEntries } from '../intake/store-entries.ts';
import { entryId, messagesOfClinic } from '../testing/clinic-source.ts';
import type { VisitNow } from '../visits/visit-calls.ts';
import { deliveriesOf } from './webhook-record.ts';

const { service, context, clinic, booked } = await messagesOfClinic();
const received: { readonly type: string; readonly data: { readonly appointment: string } }[] = [];
const receiver = createServer((request, response) => {
  void json(request).then((event) => {
    received.push(event as (typeof received)[number]);
    response.end();
  });
});
await once(receiver.listen(0, '127.0.0.1'), 'listening');
after(() => {
  receiver.closeAllConnections();
  receiver.close();
});
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
assert.equal((await service.as('admin')('/messages/webhooks', { method: 'POST', json: { url } })).status, 201);

/** What the clinic says of a visit, and what has become of that. */
function changed(stated: Partial<VisitNow>, now: Partial<VisitNow>, age = 61_000): TakenEntry {
  const { data, ...entry } = booked('events@mail.example', now);
  const visit = { ...(data as { readonly visit: VisitInMessage }).visit, sequence: 1, ...stated };
  const kind = stated.status === 'Cancelled' ? 'appointment-cancelled' : 'appointment-confirmed';
  return { ...entry, id: entryId(), at: new Date(Date.now() - age).toISOString(), kind, data: { visit, own: false } };
}

const appointmentOf = ({ data }: TakenEntry): string => (data as { readonly visit: VisitInMessage }).visit.id;
const [confirmed, cancelled] = [{ status: 'Confirmed' }, { status: 'Cancelled' }] as const;

test('a webhook hears of a confirmation or cancellation once it can’t be taken back, and of nothing that was', async () => {
  const told = [
    changed(confirmed, { ...confirmed, sequence: 1 }),
    changed(confirmed, { ...cancelled, sequence: 2 }),
    // Its patient has moved it.
    changed(confirmed, { status: 'Pending', sequence: 2, time: '11:00' }),
    changed(cancelled, { ...cancelled, sequence: 1 }),
  ];
  const takenBack = [
    changed(confirmed, { status: 'Pending', sequence: 2 }),
    changed(cancelled, { ...confirmed, sequence: 2 }),
    // Cancelled again since, which is an event of its own.
    changed(cancelled, { ...cancelled, sequence: 3 }),
  ];
  const early = changed(cancelled, { ...cancelled, sequence: 1 }, 0);
  clinic.isUp = false;
  await storeEntries(context, 'clinic', [...told, ...takenBack, early]);
  // Until svc-clinic can be asked, nobody is told.
  await waitUntil(async () => (await deliveriesOf(context).countDocuments({ attempts: { $ne: 0 } })) === 0);
  assert.equal(received.length, 0);
  clinic.isUp = true;
  await waitUntil(async () => (await deliveriesOf(context).countDocuments({ status: 'pending' })) === 1);
  assert.deepEqual(new Set(received.map(({ data }) => data.appointment)), new Set(told.map(appointmentOf)));
  assert.equal(received.length, told.length);
  const waiting = await deliveriesOf(context).findOne({ status: 'pending' });
  assert.equal(waiting?.event, `clinic_${early.id}`);
  assert.equal(waiting.nextAttemptAt.getTime(), Date.parse(early.at) + 60_000);
  assert.equal(await deliveriesOf(context).countDocuments({}), told.length + 1);
});
