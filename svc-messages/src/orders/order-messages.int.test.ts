import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@clinic/service-kit';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { TakenEntry } from '@clinic/contracts/outbox/entries';
import { storeEntries } from '../intake/store-entries.ts';
import { entryId, messagesOfClinic } from '../testing/clinic-source.ts';

const { service, context, pharmacy, own, became } = await messagesOfClinic();

const entry = (kind: string, email: string, data: object): TakenEntry => ({
  id: entryId(),
  at: new Date().toISOString(),
  kind,
  to: { account: service.issuer.idOf(email), email },
  data,
});

test('says what is becoming of an order only while svc-pharmacy does, and waits while it is unavailable', async () => {
  const now = { placed: 'pending', ready: 'Shipped', handed: 'Delivered', collected: 'Delivered', off: 'Cancelled' };
  const ids = new Map(Object.keys(now).map((name) => [name, newId().toHexString()]));
  pharmacy.answer = (path, body) => {
    assert.equal(path, '/internal/orders');
    const { ids: asked } = body as { readonly ids: readonly string[] };
    return Object.entries(now)
      .map(([name, status]) => ({ id: ids.get(name) ?? '', status }))
      .filter(({ id }) => asked.includes(id));
  };
  const about = (kind: string, name: keyof typeof now) =>
    entry(kind, `${name}@mail.example`, { order: { id: ids.get(name), number: 'A1', total: 3, currency: '৳' } });
  pharmacy.status = 503;
  await storeEntries(context, 'pharmacy', [
    about('order-placed', 'placed'),
    about('order-shipped', 'ready'),
    about('order-shipped', 'handed'),
    about('order-placed', 'collected'),
    about('order-cancelled', 'off'),
  ]);
  // Final, so that nobody is asked.
  await became('off@mail.example', 'sent');
  for (const name of ['placed', 'ready', 'handed', 'collected'])
    await waitUntil(async () => {
      const { status, lease, nextAttemptAt, createdAt } = await own(`${name}@mail.example`);
      assert.ok(status === 'pending' && lease === undefined && nextAttemptAt > createdAt, name);
    });
  pharmacy.status = 200;
  for (const [name, status] of Object.entries({
    placed: 'sent',
    ready: 'sent',
    handed: 'suppressed',
    collected: 'suppressed',
  }))
    await became(`${name}@mail.example`, status);
  assert.equal((await own('handed@mail.example')).reason, 'out-of-date');
  // A release of svc-pharmacy that doesn't know the question.
  pharmacy.status = 404;
  await storeEntries(
    context,
    'pharmacy',
    [about('order-shipped', 'handed')].map((one) => ({ ...one, to: { email: 'earlier@mail.example' } })),
  );
  await became('earlier@mail.example', 'sent');
});

test('a medicine that was sold meanwhile is told to nobody, and waits while svc-pharmacy is unavailable', async () => {
  const gone = newId().toHexString();
  pharmacy.status = 200;
  pharmacy.answer = (path, body) => {
    assert.equal(path, '/internal/back-in-stock');
    return { isBack: (body as { readonly medicine: string }).medicine !== gone };
  };
  const about = (email: string, id = newId().toHexString()) =>
    entry('back-in-stock', email, { medicine: { id, name: 'Aspirin' } });
  await storeEntries(context, 'pharmacy', [about('sold@mail.example', gone), about('there@mail.example')]);
  await became('sold@mail.example', 'suppressed');
  await became('there@mail.example', 'sent');
  assert.equal((await own('sold@mail.example')).reason, 'out-of-date');
  pharmacy.status = 404;
  await storeEntries(context, 'pharmacy', [about('before@mail.example')]);
  await became('before@mail.example', 'sent');
});
