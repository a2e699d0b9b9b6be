import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, maxReportDays, toMinor } from '@clinic/contracts';
import type { Order } from '../contract/order-schemas.ts';
import type { OrderReport } from '../contract/reports.ts';
import { pharmacyCalls } from '../contract/calls.ts';
import { holdClock } from '@clinic/service-kit/testing/hold-clock';
import { untilServed } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import { emptyDays, expectedReport, monthOfOrders } from '../testing/order-months.ts';
import { move, order, orderBody, problemOf, read, startPharmacy, type TestPharmacy } from '../testing/test-pharmacy.ts';
import { keepOrderRollups } from './keep-order-rollups.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { clockMonths } from '@clinic/service-kit/testing/clock-months';

async function withPharmacy(timeZone: string, work: (pharmacy: TestPharmacy) => Promise<void>): Promise<void> {
  const pharmacy = await startPharmacy({ CLINIC_TZ: timeZone });
  try {
    await work(pharmacy);
  } finally {
    await pharmacy.close();
  }
}

async function reportOf(pharmacy: TestPharmacy, from: string, to: string): Promise<OrderReport> {
  return pharmacyCalls.reportOrders.response
    .strict()
    .parse(await readJson(pharmacy.as('admin')(`/orderMedi/report?from=${from}&to=${to}`), 200));
}

for (const [timeZone, first] of clockMonths) {
  test(`the figures of a month from ${first} in ${timeZone} match the raw list`, async () => {
    await withPharmacy(timeZone, async (pharmacy) => {
      const stocked = await Promise.all(
        Array.from({ length: 14 }, async () => (await pharmacy.stockMedicine({ quantity: 10_000 })).medicineId),
      );
      await pharmacy.collections.orders.insertMany(monthOfOrders(first, timeZone, stocked));
      assert.ok((await keepOrderRollups(pharmacy.context)) >= 2, 'both months were counted');
      const to = addDays(first, 30);
      const report = await reportOf(pharmacy, first, to);
      assert.deepEqual(report, await expectedReport(pharmacy, first, to));
      assert.deepEqual(
        emptyDays.map((day) => report.byDay[day]?.orders),
        [0, 0, 0],
      );
      assert.equal(report.topMedicines.length, 10);

      // From here on every change updates the rollups, on the day of its order.
      const waiting = await pharmacy.collections.orders
        .find({ status: 'pending' }, { projection: { _id: 1 } })
        .limit(24)
        .toArray();
      for (let at = 0; at < waiting.length; at += 6) {
        await Promise.all(
          waiting.slice(at, at + 6).map(async ({ _id }, index) => {
            const answer = await move(
              pharmacy.as('admin'),
              _id.toHexString(),
              index % 3 === 0 ? 'Shipped' : 'Cancelled',
            );
            assert.equal(answer.status, 200, await answer.text());
          }),
        );
      }
      for (const [a, b] of [
        [0, 30],
        [0, 0],
        [10, 10],
        [5, 25],
        [-20, 60],
        [3, 3],
        [-120, -100],
      ] as const) {
        const [from, until] = [addDays(first, a), addDays(first, b)];
        assert.deepEqual(
          await reportOf(pharmacy, from, until),
          await expectedReport(pharmacy, from, until),
          `${from} to ${until}`,
        );
      }
      assert.equal(await keepOrderRollups(pharmacy.context), 0, 'the rollups match the orders');
    });
  });
}

test('concurrent orders are each counted, and the parts add up at any moment', async () => {
  await withPharmacy('Asia/Dhaka', async (pharmacy) => {
    const stocked = await Promise.all(
      Array.from({ length: 4 }, () => pharmacy.stockMedicine({ quantity: 1_000, pricePerUnit: 1.05 })),
    );
    // Midnight may pass in the meantime.
    const today = ((await (await pharmacy.as('admin')('/orderMedi/report')).json()) as OrderReport).to;
    const [from, to] = [addDays(today, -1), addDays(today, 1)];
    let over = false;
    const orders = Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const email = `customer${index}@mail.example`;
        const items = [index % 4, (index + 1) % 4].map((at) => ({
          medicineId: stocked[at]?.medicineId ?? '',
          quantity: 1 + (index % 3),
        }));
        const placed = await untilServed(() =>
          pharmacy.as({ role: 'patient', email })('/orderMedi', {
            method: 'POST',
            json: orderBody(email, items),
            headers: { 'Idempotency-Key': email },
          }),
        );
        assert.equal(placed.status, 201);
        const { _id } = (await placed.json()) as Order;
        if (index % 2 === 1) return;
        const status = index % 4 === 0 ? 'Cancelled' : 'Delivered';
        const moved = await untilServed(() => move(pharmacy.as('admin'), _id, status));
        // A repeated change has been made already.
        if (moved.status !== 409) assert.equal(moved.status, 200);
        assert.equal((await pharmacy.db.collection('orders').findOne({ _id: new ObjectId(_id) }))?.['status'], status);
      }),
    ).finally(() => {
      over = true;
    });
    while (!over) {
      const { totals, byDay } = await reportOf(pharmacy, from, to);
      assert.equal(
        byDay.reduce((sum, day) => sum + day.orders, 0),
        totals.orders,
      );
      assert.equal(
        byDay.reduce((sum, { revenue }) => sum + toMinor(revenue), 0),
        toMinor(totals.revenue),
      );
      assert.equal(
        Object.values(totals.byStatus).reduce((sum, count) => sum + count, 0),
        totals.orders,
      );
    }
    await orders;
    const report = await reportOf(pharmacy, from, to);
    assert.deepEqual(report.totals.byStatus, { pending: 12, Shipped: 0, Delivered: 6, Cancelled: 6 });
    assert.deepEqual(report, await expectedReport(pharmacy, from, to));
  });
});

test('a medicine has the name from its latest order', async () => {
  await withPharmacy('Asia/Dhaka', async (pharmacy) => {
    const { _id, medicineId } = await pharmacy.stockMedicine({ name: 'Aspirn' });
    const email = 'patient@clinic.example';
    const place = () => order(pharmacy.as('patient'), email, [{ medicineId, quantity: 2 }]);
    const { _id: first } = await place();
    assert.equal(
      (await pharmacy.as('admin')(`/medicine/${_id.toHexString()}`, { method: 'PATCH', json: { name: 'Aspirin' } }))
        .status,
      200,
    );
    await place();
    assert.equal((await move(pharmacy.as('admin'), first, 'Cancelled')).status, 200);
    const { topMedicines } = (await (await pharmacy.as('admin')('/orderMedi/report')).json()) as OrderReport;
    assert.deepEqual(topMedicines, [{ medicineId, name: 'Aspirin', quantity: 2, revenue: 5 }]);
  });
});

test('rollups that are missing, or of another time zone, are rebuilt at start while orders come in', async () => {
  await withPharmacy('Asia/Dhaka', async (pharmacy) => {
    const { medicineId } = await pharmacy.stockMedicine({ quantity: 10_000 });
    await pharmacy.collections.orders.insertMany(monthOfOrders('2026-04-10', 'Asia/Dhaka', [medicineId]));
    const inNewYork = {
      ...pharmacy.context,
      settings: { ...pharmacy.context.settings, CLINIC_TZ: 'America/New_York' },
    };
    for (const context of [pharmacy.context, inNewYork, pharmacy.context]) {
      const starts = [keepOrderRollups(context), keepOrderRollups(context)];
      const orders = Array.from({ length: 8 }, (_, index) => {
        const email = `customer${index}@mail.example`;
        return order(pharmacy.as({ role: 'patient', email }), email, [{ medicineId, quantity: 1 }]);
      });
      const [one, other] = await Promise.all([...starts, ...orders]);
      assert.ok(Number(one) + Number(other) > 0);
    }
    const { to } = (await (await pharmacy.as('admin')('/orderMedi/report')).json()) as OrderReport;
    for (const [from, until] of [
      ['2026-04-01', '2026-05-31'],
      [addDays(to, -1), addDays(to, 1)],
    ] as const) {
      assert.deepEqual(await reportOf(pharmacy, from, until), await expectedReport(pharmacy, from, until));
    }
  });
});

test('the stock report lists what needs attention, at most twenty of each', async (t) => {
  holdClock(t);
  await withPharmacy('Asia/Dhaka', async (pharmacy) => {
    const { today } = await read(pharmacy.as('admin'), 'reportStock', '/medicine/report');
    const far = { expiryDate: '2999-12-31' };
    for (let quantity = 1; quantity <= 25; quantity += 1)
      await pharmacy.stockMedicine({ ...far, quantity: quantity % 9 === 0 ? 0 : 1 + (quantity % 9) });
    for (const days of [-400, -1, 0, 1, 89, 90, 91])
      await pharmacy.stockMedicine({ quantity: 50, expiryDate: addDays(today, days) });
    const report = pharmacyCalls.reportStock.response
      .strict()
      .parse(await (await pharmacy.as('admin')('/medicine/report')).json());
    const inventory = await read(pharmacy.as('admin'), 'listMedicines', '/medicine');
    const flat = inventory.map(({ _id, status, medicine }) => ({
      _id: _id.$oid,
      status,
      ...medicine,
      quantity: Number(medicine.quantity.$numberInt),
    }));
    const expected = (of: typeof flat) => ({
      count: of.length,
      first: of.slice(0, 20).map(({ _id, medicineId, name, quantity, unit, expiryDate, status }) => ({
        _id,
        medicineId,
        name,
        quantity,
        unit,
        expiryDate,
        status,
      })),
    });
    const by =
      <K extends 'quantity' | 'expiryDate' | 'name'>(key: K) =>
      (a: (typeof flat)[number], b: (typeof flat)[number]) =>
        a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a._id < b._id ? -1 : 1;
    assert.deepEqual(report, {
      today,
      timeZone: 'Asia/Dhaka',
      medicines: 32,
      lowStock: expected(flat.filter(({ quantity }) => quantity > 0 && quantity < 10).toSorted(by('quantity'))),
      outOfStock: expected(flat.filter(({ quantity }) => quantity === 0).toSorted(by('name'))),
      nearExpiry: expected(
        flat
          .filter(({ expiryDate }) => expiryDate >= today && expiryDate <= addDays(today, 90))
          .toSorted(by('expiryDate')),
      ),
      expired: expected(flat.filter(({ expiryDate }) => expiryDate < today).toSorted(by('expiryDate'))),
    });
    assert.deepEqual(
      [
        report.lowStock.count,
        report.lowStock.first.length,
        report.outOfStock.count,
        report.nearExpiry.count,
        report.expired.count,
      ],
      [23, 20, 2, 4, 2],
    );
  });
});

test('invalid periods are rejected naming the field, and everybody but admins gets 403', async () => {
  await withPharmacy('Asia/Dhaka', async (pharmacy) => {
    const wrong = [
      ['?from=2026-02-30', 'from', 'From must be a date (yyyy-mm-dd)'],
      ['?from=2026-02-02&to=2026-02-01', 'to', 'To can’t be before From'],
      ['?from=2026-01-01&to=2027-01-02', 'to', `A report can cover at most ${maxReportDays} days`],
    ] as const;
    for (const [query, field, message] of wrong) {
      const { code, errors } = await problemOf(await pharmacy.as('admin')(`/orderMedi/report${query}`), 400);
      assert.deepEqual([code, errors], ['validation_failed', [{ field, message }]], query);
    }
    for (const path of ['/orderMedi/report', '/medicine/report']) {
      await problemOf(await pharmacy.anonymous(path), 401);
      for (const role of ['patient', 'doctor', 'pharmacist'] as const)
        await problemOf(await pharmacy.as(role)(path), 403);
    }
    assert.equal((await reportOf(pharmacy, '2028-01-01', '2028-12-31')).byDay.length, 366);
  });
});
