import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { defineService, type ServiceDefinition } from '../definition.ts';
import type { IsLatestList, StaffAccount } from './staff-list.ts';
import { startTestService, type TestService } from '../testing/index.ts';
import { shopService, type ShopSettings } from '../testing/shop-service.ts';
import { waitUntil } from '../testing/wait-until.ts';

const closing: TestService<ShopSettings>[] = [];
after(() => Promise.all(closing.map((service) => service.close())));

const doctor: StaffAccount = { id: 'd', email: 'dora@clinic.example', role: 'doctor', active: true };

/** A service that records the staff lists it receives. */
async function listener(fail = () => false) {
  const received: (readonly StaffAccount[])[] = [];
  const waiting = new Set<() => void>();
  const definition: ServiceDefinition<'pharmacy', ShopSettings> = {
    ...shopService,
    onStaff: () => async (staff) => {
      if (fail()) throw new Error('not now');
      received.push(staff);
      for (const go of waiting) go();
    },
  };
  const service = await startTestService(defineService(definition));
  closing.push(service);
  /** Waits until the latest list meets the condition. */
  const until = async (condition: (staff: readonly StaffAccount[]) => boolean): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = (): void => {
      if (condition(received.at(-1) ?? [])) resolve();
    };
    waiting.add(check);
    check();
    await promise;
    waiting.delete(check);
  };
  return { service, received, until };
}

test('a service receives changed staff rights', async () => {
  const { service, until } = await listener();
  for (const staff of [[doctor], [{ ...doctor, active: false }], [{ ...doctor, role: 'patient' as const }]]) {
    service.issuer.setStaff(staff);
    await until((received) => JSON.stringify(received) === JSON.stringify(staff));
  }
});

test('a service catches up on changes missed while identity was unavailable', { timeout: 120_000 }, async () => {
  const { service, until } = await listener();
  await until((received) => received.length === 0);
  service.issuer.breakFeed();
  service.issuer.setStaff([doctor]);
  service.issuer.restoreFeed();
  await until(([first]) => first?.id === 'd');
});

test('failed work is retried with the current list', { timeout: 120_000 }, async () => {
  let failing = true;
  const { service, until, received } = await listener(() => failing);
  service.issuer.setStaff([doctor]);
  failing = false;
  await until(([first]) => first?.id === 'd');
  assert.deepEqual(received.at(-1), [doctor]);
});

test('a list is out of date once a replica has applied one that was asked for later, and no sooner', async () => {
  const lists: IsLatestList[] = [];
  const service = await startTestService(
    defineService({ ...shopService, onStaff: () => async (_, isLatest) => void lists.push(isLatest) }),
  );
  closing.push(service);
  const check = async (isLatest: IsLatestList): Promise<boolean> => service.context.inTransaction(isLatest);
  const nextList = async (): Promise<IsLatestList> => {
    const before = lists.length;
    service.issuer.setStaff([doctor]);
    await waitUntil(() => assert.ok(lists.length > before));
    return lists.at(-1) ?? assert.fail();
  };
  const [first, second] = [await nextList(), await nextList()];
  assert.deepEqual(await Promise.all([check(first), check(first)]), [true, true]);
  assert.equal(await check(second), true);
  assert.deepEqual([await check(first), await check(second)], [false, true]);
});
