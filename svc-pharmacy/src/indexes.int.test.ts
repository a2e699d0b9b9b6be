import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import { searchFilter } from '@clinic/service-kit';
import { usesIndex, winningStages } from '@clinic/service-kit/testing';
import { ObjectId, type AggregationCursor, type Document, type FindCursor } from 'mongodb';
import { medicineSorts, shownMedicines } from './medicines/list-medicines.ts';
import { unowned, unownedSince } from './accounts/customer-accounts.ts';
import { movementSorts } from './medicines/stock-handlers.ts';
import { sumsOf } from './medicines/stock-ledger.ts';
import { heldOf, openOrders } from './orders/open-orders.ts';
import { orderSearch, orderSorts } from './orders/list-orders.ts';
import { soldMost, spansOf, sumsOfDays } from './reports/report-orders.ts';
import { counted, stockQuestions } from './reports/report-stock.ts';
import { sharedPharmacy, storedOrder } from './testing/test-pharmacy.ts';

const accountOf = (customer: number): string => customer.toString(16).repeat(24);

const pharmacy = await sharedPharmacy();
for (let n = 0; n < 60; n += 1)
  await pharmacy.stockMedicine({ quantity: n % 3 === 0 ? 0 : n, expiryDate: addDays('2027-01-01', n) });
const orders = Array.from({ length: 120 }, (_, n) =>
  storedOrder({
    number: String(n),
    orderDate: new Date(1_700_000_000_000 + n * 1000),
    status: n % 2 ? 'pending' : 'Shipped',
    customerEmail: `c${n % 12}@mail.example`,
    ...(n % 3 > 0 && { customerId: accountOf(n % 12) }),
    ...(n % 40 === 1 && { unusual: true as const }),
  }),
);
await pharmacy.collections.orders.insertMany(orders);

async function assertIndexed(name: string, cursor: FindCursor<unknown> | AggregationCursor<Document>): Promise<void> {
  const explained = await cursor.explain('queryPlanner');
  assert.ok(usesIndex(explained), `${name} uses an index: ${winningStages(explained).join(' < ')}`);
}

test('every list of medicines uses an index', async () => {
  const { medicines } = pharmacy.collections;
  for (const [sortName, sort] of Object.entries(medicineSorts)) {
    for (const query of [
      {},
      { q: 'asp' },
      { status: 'in stock' as const },
      { status: 'low stock' as const, q: 'asp' },
      { category: 'Vitamins' as const },
      { category: 'Vitamins' as const, q: 'asp' },
      { expiry: 'soon' as const },
      { expiry: 'expired' as const, status: 'low stock' as const },
      { medicineIds: ['T-0001', 'T-0002'] },
      { archived: 'true' as const },
      { archived: 'true' as const, q: 'asp' },
    ]) {
      await assertIndexed(
        `medicines by ${sortName} ${JSON.stringify(query)}`,
        medicines.find(shownMedicines(query, '2026-11-21').filter).sort(sort).limit(20),
      );
    }
  }
});

test('every list of orders uses an index', async () => {
  const { orders } = pharmacy.collections;
  const email = 'c1@mail.example';
  const customerId = accountOf(1);
  for (const [sortName, sort] of Object.entries(orderSorts)) {
    for (const query of [
      {},
      { status: 'pending' as const },
      { email },
      { email, status: 'pending' as const },
      { q: 'c1' },
      { q: 'c1', status: 'pending' as const },
      { q: 'nadia' },
      { q: 'nadia', status: 'pending' as const },
      { q: '#4F09A1' },
      { q: '4f09a1' },
      { q: '4f09a1', status: 'pending' as const },
      { email, q: 'asp' },
      { customerId },
      { customerId, status: 'pending' as const },
      { customerId, q: 'asp' },
      { customerId, q: '#4F09A1' },
      { customerId, q: '4F09A1' },
      { customerId, from: '2026-01-01' },
      { unusual: 'true' as const },
      { unusual: 'true' as const, status: 'pending' as const },
      { from: '2026-01-01' },
      { from: '2026-01-01', status: 'pending' as const, q: 'c1' },
    ]) {
      await assertIndexed(
        `orders by ${sortName} ${JSON.stringify(query)}`,
        orders
          .find(searchFilter(orderSearch(query, 'Asia/Dhaka')))
          .sort(sort)
          .limit(20),
      );
    }
  }
});

test('the screens’ pages read only the rows they show, however many orders there are', async () => {
  const { orders } = pharmacy.collections;
  const email = 'c1@mail.example';
  const customerId = accountOf(1);
  const status = 'pending' as const;
  const shown = [
    [{}, orderSorts.newest],
    [{ status }, orderSorts.newest],
    [{ status }, orderSorts.oldest],
    [{ email }, orderSorts.newest],
    [{ email, status }, orderSorts.newest],
    [{ customerId }, orderSorts.newest],
    [{ customerId, status }, orderSorts.newest],
    [{ unusual: 'true' as const }, orderSorts.newest],
    [{ unusual: 'true' as const, status }, orderSorts.newest],
    [{ q: 'c1' }, orderSorts.customer],
    [{ q: 'c1', status }, orderSorts.customer],
  ] as const;
  for (const [query, sort] of shown) {
    const name = `orders ${JSON.stringify(query)}`;
    const explained = await orders
      .find(searchFilter(orderSearch(query, 'Asia/Dhaka')))
      .sort(sort)
      .limit(5)
      .explain('executionStats');
    assert.ok(usesIndex(explained, { sorted: true }), `${name} come in order`);
    assert.ok(
      explained['executionStats'].totalDocsExamined <= 10,
      `${name} read no more than they show: ${explained['executionStats'].totalDocsExamined}`,
    );
  }
});

test('the search for a recipient or an address reads each by its own index, however many orders there are', async () => {
  const { orders } = pharmacy.collections;
  for (const query of [{ q: 'zzz' }, { q: 'nadia' }, { q: 'c1' }])
    for (const filter of orderSearch(query, 'Asia/Dhaka').map((conditions) => searchFilter([conditions]))) {
      const explained = await orders.find(filter).sort(orderSorts.customer).limit(5).explain('executionStats');
      const read = explained['executionStats'].totalDocsExamined as number;
      assert.ok(read <= 10, `${JSON.stringify(query)} reads ${read} of ${winningStages(explained).join(' < ')}`);
    }
});

test('later pages use an index too', async () => {
  const at = new Date(1_700_000_050_000);
  const beyond = {
    orderDate: { $lte: at },
    $or: [{ orderDate: { $lt: at } }, { orderDate: at, _id: { $lt: new ObjectId() } }],
  };
  await assertIndexed(
    'orders, next page',
    pharmacy.collections.orders
      .find({ ...searchFilter(orderSearch({}, 'Asia/Dhaka')), ...beyond })
      .sort(orderSorts.newest)
      .limit(20),
  );
  await assertIndexed(
    'orders of one, next page',
    pharmacy.collections.orders
      .find({ ...searchFilter(orderSearch({ email: 'c1@mail.example' }, 'Asia/Dhaka')), ...beyond })
      .sort(orderSorts.newest)
      .limit(20),
  );
});

test('queries by stock, number and status use an index', async () => {
  const { medicines, orders } = pharmacy.collections;
  await assertIndexed(
    'stock to take',
    medicines.find({ medicineId: 'T-0001', quantity: { $gte: 1 }, expiryDate: { $gte: '2026-01-01' } }),
  );
  await assertIndexed('medicines of an order', medicines.find({ medicineId: { $in: ['T-0001', 'T-0002'] } }));
  await assertIndexed(
    'statuses to align',
    medicines.find({ status: { $in: ['in stock', 'out of stock'] }, quantity: { $gt: 0, $lt: 10 } }),
  );
  await assertIndexed('one medicine', medicines.find({ _id: new ObjectId() }));
  await assertIndexed('open orders of an account', orders.find(openOrders(accountOf(1))).limit(10));
  await assertIndexed('orders to join', orders.find({ customerEmail: 'c1@mail.example', ...unowned }));
  await assertIndexed('orders of an account', orders.find({ customerId: accountOf(1) }).limit(50));
  await assertIndexed('late orders without an account', orders.find(unownedSince(new Date(1_700_000_100_000))));
  await assertIndexed(
    'what expires',
    orders.find({ status: 'pending', heldUntil: { $lte: new Date() } }).sort({ heldUntil: 1 }),
  );
  await assertIndexed(
    'pending orders without a time',
    orders.find({ status: 'pending', heldUntil: { $exists: false } }),
  );
  await assertIndexed('an order to move', orders.find({ _id: new ObjectId(), status: 'pending' }));
});

test('movements, and what pending orders hold, use an index', async () => {
  const { movements, orders: held } = pharmacy.collections;
  await assertIndexed('movements', movements.find({ medicine: new ObjectId() }).sort(movementSorts.newest).limit(20));
  await assertIndexed('their sums', movements.aggregate(sumsOf([new ObjectId(), new ObjectId()])));
  await assertIndexed('held units', held.aggregate(heldOf('T-0001')));
});

test('reports use indexes', async () => {
  const { medicines, orderTallies, medicineTallies } = pharmacy.collections;
  const period = { from: '2026-01-15', to: '2026-12-20', timeZone: 'Asia/Dhaka' };
  await assertIndexed('orders by day', orderTallies.aggregate(sumsOfDays(period)));
  await assertIndexed('medicines sold most', medicineTallies.aggregate(soldMost(period)));
  assert.deepEqual(
    spansOf(period).filter((span) => span.length === 7),
    ['02', '03', '04', '05', '06', '07', '08', '09', '10', '11'].map((month) => `2026-${month}`),
  );
  for (const [name, { filter, countBy, sort }] of Object.entries(stockQuestions('2026-11-21'))) {
    await assertIndexed(`number of ${name}`, medicines.aggregate(counted('but' in countBy ? countBy.all : countBy)));
    await assertIndexed(`archived ${name}`, medicines.aggregate(counted('but' in countBy ? countBy.but : countBy)));
    await assertIndexed(`first of ${name}`, medicines.find(filter).sort(sort).limit(20));
  }
});
