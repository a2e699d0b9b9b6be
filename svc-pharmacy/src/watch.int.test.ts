import assert from 'node:assert/strict';
import { test } from 'node:test';
import { move, order, sharedPharmacy } from './testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();

/** Opens the stream as a page does. */
async function listen(who: 'pharmacist' | 'patient' | 'doctor') {
  const stop = new AbortController();
  const response = await pharmacy.as(who)('/orderMedi/changes', { signal: stop.signal });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  assert.ok(response.body);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    /** Waits for the notification of this list. */
    async receives(list: string): Promise<void> {
      while (!text.includes(`"${list}"`)) {
        const { value, done } = await reader.read();
        assert.ok(!done, 'the line stays open');
        text += value;
      }
    },
    /** Everything received until the next heartbeat. */
    async untilHeartbeat(): Promise<string> {
      while (!text.includes('event: beat')) text += (await reader.read()).value ?? '';
      return text;
    },
    stop: () => stop.abort(),
  };
}

test(
  'staff are notified of every order and medicine, customers of their own orders, others of nothing',
  { timeout: 120_000 },
  async () => {
    const { medicineId, _id } = await pharmacy.stockMedicine({ quantity: 50 });
    const [staff, customer, other] = [await listen('pharmacist'), await listen('patient'), await listen('doctor')];
    const { _id: orderId } = await order(pharmacy.as('patient'), 'patient@clinic.example', [
      { medicineId, quantity: 2 },
    ]);
    // Sequentially on one stream: notifications for one step may arrive with those of another.
    await staff.receives('listOrders');
    await staff.receives('listMedicines');
    await staff.receives('listMovements');
    await customer.receives('listOrders');
    const { _id: gone } = await pharmacy.stockMedicine({ quantity: 0 });
    const asks = { method: 'POST' };
    assert.equal((await pharmacy.as('patient')(`/medicine/${gone.toHexString()}/back-in-stock`, asks)).status, 201);
    await customer.receives('listStockRequests');
    assert.equal((await move(pharmacy.as('admin'), orderId, 'Shipped')).status, 200);
    assert.equal(
      (await pharmacy.as('admin')(`/medicine/${_id.toHexString()}`, { method: 'PATCH', json: { restock: 1 } })).status,
      200,
    );
    assert.doesNotMatch(await other.untilHeartbeat(), /event: change/);
    assert.doesNotMatch(await customer.untilHeartbeat(), /listMedicines/);
    for (const line of [staff, customer, other]) line.stop();
  },
);
