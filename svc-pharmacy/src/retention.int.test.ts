import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usesIndex } from '@clinic/service-kit/testing';
import { applyRetention } from '@clinic/service-kit/retention';
import type { OrderStatus } from './contract/transitions.ts';
import { retention } from './retention.ts';
import { read, sharedPharmacy, storedOrder } from './testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy({ PHARMACY_CANCELLED_DETAILS_KEPT_DAYS: '100' });

const email = 'ann@mail.example';

const order = (status: OrderStatus, days: number) =>
  storedOrder({
    orderDate: new Date(Date.now() - days * 86_400_000),
    status,
    customerEmail: email,
    customerId: pharmacy.issuer.idOf(email),
  });

test('a cancelled order loses only address and phone after the retention period; all other orders keep them', async () => {
  const orders = [order('Cancelled', 101), order('Cancelled', 99), order('Delivered', 500), order('Shipped', 500)];
  await pharmacy.collections.orders.insertMany(orders);
  const rules = retention(pharmacy.context);
  const onTheWay = ['details of deleted customers’ orders on their way', 0] as const;
  // The service's own first round may be at it, too.
  await applyRetention(pharmacy.context, rules);
  assert.deepEqual(
    await applyRetention(pharmacy.context, rules),
    new Map([['details of cancelled orders', 0], onTheWay]),
  );

  const shown = await read(pharmacy.as({ role: 'patient', email }), 'listOrders', `/orderMedi?email=${email}`);
  const details = new Map(
    shown.map(({ _id, status, deliveryAddress, customerPhone, customeremail }) => [
      _id,
      [status, deliveryAddress, customerPhone, customeremail],
    ]),
  );
  const [over, ...kept] = orders;
  assert.deepEqual(details.get(over?._id.toHexString() ?? ''), ['Cancelled', '', '', email]);
  for (const { _id, status, deliveryAddress, customerPhone } of kept)
    assert.deepEqual(details.get(_id.toHexString()), [status, deliveryAddress, customerPhone, email]);
  for (const filter of rules.flatMap((rule) => rule.over(new Date())))
    assert.ok(usesIndex(await pharmacy.collections.orders.find(filter).explain('queryPlanner')));
});

test('a number in international form that the previous release left in a cancelled order expires too', async () => {
  await pharmacy.collections.orders.deleteMany({});
  const left = {
    ...order('Cancelled', 101),
    deliveryAddress: '',
    customerPhone: '',
    customerPhoneE164: '+8801711123456',
  };
  await pharmacy.collections.orders.insertOne(left);
  await applyRetention(pharmacy.context, retention(pharmacy.context));
  assert.equal((await pharmacy.collections.orders.findOne({ _id: left._id }))?.customerPhoneE164, '');
});
