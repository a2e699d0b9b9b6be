import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { personWith } from '@clinic/service-kit/testing';
import type { CallResponse } from '@clinic/contracts';
import type { ExportedThing } from '@clinic/service-kit';
import { collectionsOf } from '../collections.ts';
import { clinic, openSubscribedClinic, own, readFeed, subscribe } from '../testing/test-calendar-feed.ts';
import { ann, ben } from '../testing/people.ts';
import { read, staffOf, startTestClinic, verdict, type Who } from '../testing/test-clinic.ts';
import { mostReads } from './feed-limits.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

await openSubscribedClinic();

const subscription = async (who: Who) => (await (await clinic.as(who)(own)).json()) as CallResponse<'getCalendarFeed'>;

describe('the address', () => {
  test('is shown once, and neither stored nor logged', async () => {
    const path = await subscribe(ann);
    const secret = /^\/calendar-feed\/([\w-]{32})\.ics$/.exec(path)?.[1] ?? assert.fail(path);
    assert.equal((await readFeed(path)).status, 200);
    assert.equal((await readFeed(path.replace('.ics', ''))).status, 200);
    assert.equal((await readFeed(`${path}x`)).status, 404);
    assert.deepEqual(Object.keys(await subscription(ann)), ['since']);
    for (const name of ['calendarFeeds', 'events', 'looks', 'idempotency'])
      assert.ok(!JSON.stringify(await clinic.db.collection(name).find().toArray()).includes(secret), name);
    assert.ok(clinic.log.some((line) => line.includes('readCalendarFeed')));
    assert.deepEqual(
      clinic.log.filter((line) => line.includes(secret)),
      [],
    );
  });

  test('stops working when it is replaced or ended, each recorded in the history', async () => {
    assert.deepEqual(await subscription(ann), {});
    const first = await subscribe(ann);
    const second = await subscribe(ann);
    assert.notEqual(first, second);
    assert.equal(await verdict(readFeed(first)), '404 not_found');
    assert.equal((await readFeed(second)).status, 200);
    assert.equal((await clinic.as(ann)(own, { method: 'DELETE' })).status, 204);
    assert.equal((await clinic.as(ann)(own, { method: 'DELETE' })).status, 204);
    assert.equal(await verdict(readFeed(second)), '404 not_found');
    assert.deepEqual(await subscription(ann), {});
    const events = await clinic.db.collection('events').find().sort({ at: 1, _id: 1 }).toArray();
    assert.deepEqual(
      events.map(({ action, actor }) => [action, (actor as { email: string }).email]),
      ['started', 'replaced', 'stopped'].map((what) => [`calendar subscription ${what}`, ann.email]),
    );
  });

  test('is the only one, however many are requested at once', async () => {
    const paths = await Promise.all(Array.from({ length: 8 }, () => subscribe(ann)));
    const answers = await Promise.all(paths.map((path) => readFeed(path)));
    assert.deepEqual(statusesOf(answers), [200, ...Array.from({ length: 7 }, () => 404)]);
    assert.equal(await clinic.db.collection('calendarFeeds').countDocuments(), 1);
  });

  for (const [what, standing] of [
    ['the account is switched off', { active: false, role: 'patient' }],
    [
      'all sessions end',
      { active: true, role: 'patient', sessionsEndedAt: new Date(Date.now() + 60_000).toISOString() },
    ],
  ] as const) {
    test(`stops working for good when ${what}`, async () => {
      const path = await subscribe(ann);
      const id = clinic.issuer.idOf(ann.email);
      clinic.issuer.setStanding(id, standing);
      assert.deepEqual(await subscription(ann), {});
      assert.equal(await verdict(readFeed(path)), '404 not_found');
      clinic.issuer.setStanding(id, { active: true, role: 'patient' });
      assert.equal(await verdict(readFeed(path)), '404 not_found');
      assert.equal(await clinic.db.collection('calendarFeeds').countDocuments(), 0);
    });
  }

  test('works although all sessions were ended before it was created', async () => {
    clinic.issuer.setStanding(clinic.issuer.idOf(ann.email), {
      active: true,
      role: 'patient',
      sessionsEndedAt: new Date(Date.now() - 1_000).toISOString(),
    });
    assert.equal((await readFeed(await subscribe(ann))).status, 200);
  });

  test('is unavailable while accounts can’t be checked, and works again afterwards', async () => {
    const path = await subscribe(ann);
    clinic.issuer.breakFeed();
    assert.equal(await verdict(readFeed(path)), '503 unavailable');
    clinic.issuer.restoreFeed();
    assert.equal((await readFeed(path)).status, 200);
  });

  test('needs a session to be created, shown or ended, but not to be read', async () => {
    const path = await subscribe(ann);
    for (const method of ['GET', 'POST', 'DELETE'])
      assert.equal(await verdict(clinic.anonymous(own, { method })), '401 unauthenticated');
    assert.equal((await clinic.as(ben)(path)).status, 200);
    assert.equal((await clinic.as(ben)(own, { method: 'DELETE' })).status, 204);
    assert.equal((await readFeed(path)).status, 200);
  });

  test('can be read thirty times in ten minutes', async () => {
    const path = await subscribe(ann);
    const statuses: number[] = [];
    for (let round = 0; round < mostReads; round += 1) statuses.push((await readFeed(path)).status);
    assert.deepEqual(new Set(statuses), new Set([200]));
    const late = await readFeed(path);
    assert.deepEqual([late.status, late.headers.get('retry-after')], [429, '600']);
    await collectionsOf(clinic.db).calendarFeeds.updateOne(
      {},
      { $set: { 'reads.since': new Date(Date.now() - 600_001) } },
    );
    assert.equal((await readFeed(path)).status, 200);
  });

  test('can’t be guessed: wrong ones are limited per network, over all replicas and concurrently', async (t) => {
    const second = await startTestClinic({
      MONGODB_DATABASE: clinic.db.databaseName,
      MONGODB_URI: clinic.context.settings.MONGODB_URI,
    });
    t.after(() => second.close());
    const wrong = `/calendar-feed/${'x'.repeat(32)}.ics`;
    const from = (network: string, path = wrong, url = clinic.url) =>
      fetch(`${url}${path}`, { headers: { 'X-Forwarded-For': network } });
    const path = await subscribe(ann);
    for (let round = 0; round < 3; round += 1) assert.equal((await from('203.0.113.9', path)).status, 200);
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, round) => from('203.0.113.9', wrong, round % 2 === 0 ? clinic.url : second.url)),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      [404, 429].map((status) => statuses.filter((one) => one === status).length),
      [60, 20],
    );
    const late = await from('203.0.113.9', path, second.url);
    const wait = Number(late.headers.get('retry-after'));
    assert.deepEqual([late.status, wait > 0 && wait <= 60], [429, true]);
    assert.equal((await from('203.0.113.10', path)).status, 200);
    assert.equal((await from('203.0.113.10')).status, 404);
  });
});

test('is part of a person’s data export, and deleted with the person', async () => {
  const path = await subscribe(ann);
  const { since } = await subscription(ann);
  const copy = await read<ExportedThing[]>(clinic.as(ann), `/appoinments/export?email=${ann.email}`);
  assert.deepEqual(
    copy.map(({ kind, data }) => [kind, data['since'] ?? data['action']]),
    [
      ['calendar subscription', since],
      ['event', 'calendar subscription started'],
    ],
  );
  clinic.issuer.setStaff([staffOf(clinic, { role: 'admin', email: 'admin@clinic.example' })]);
  await clinic.erase(personWith(clinic.issuer.idOf(ann.email), ann.email));
  assert.equal(await verdict(readFeed(path)), '404 not_found');
  assert.equal(await clinic.db.collection('calendarFeeds').countDocuments(), 0);
  // A request that was in flight can't create another.
  assert.equal(await verdict(clinic.as(ann, { version: 3 })(own, { method: 'POST' })), '401 unauthenticated');
});
