import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TakenEntry } from '@clinic/contracts/outbox/entries';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { storeEntries } from '../intake/store-entries.ts';
import { entryId, messagesOfClinic, soon } from '../testing/clinic-source.ts';

const { context, identity, own, became } = await messagesOfClinic();

const [first, second] = [`${soon(3)}T10:00:00.000Z`, `${soon(4)}T10:00:00.000Z`];
const invitation = (email: string, until = first): TakenEntry => ({
  id: entryId(),
  at: new Date().toISOString(),
  kind: 'staff-invitation',
  to: { email },
  data: { link: '/register?invitation=secret', role: 'doctor', until },
});

test('invites only while svc-identity does, and waits while it is unavailable', async () => {
  const now: Readonly<Record<string, string>> = { open: 'open', taken: 'revoked', joined: 'accepted' };
  const email = (name: string): string => `${name}@mail.example`;
  identity.answer = (path, body) => {
    assert.equal(path, '/internal/invitations');
    const { invitations } = body as { readonly invitations: readonly { email: string; role: string; until: string }[] };
    return invitations.map((one) => ({
      ...one,
      status: one.until === second ? 'open' : (now[one.email.split('@')[0] ?? ''] ?? 'revoked'),
    }));
  };
  identity.status = 503;
  await storeEntries(
    context,
    'identity',
    Object.keys(now).map((name) => invitation(email(name))),
  );
  for (const name of Object.keys(now))
    await waitUntil(async () => {
      const { status, lease, nextAttemptAt, createdAt } = await own(email(name));
      assert.ok(status === 'pending' && lease === undefined && nextAttemptAt > createdAt, name);
    });
  identity.status = 200;
  for (const [name, status] of Object.entries(now))
    await became(email(name), status === 'open' ? 'sent' : 'suppressed');
  const { reason, data } = await own(email('taken'));
  assert.deepEqual([reason, data['link']], ['out-of-date', undefined]);
  // Invited again to the same role: only the new link works.
  await storeEntries(context, 'identity', [invitation(email('again')), invitation(email('again'), second)]);
  await became(email('again'), 'suppressed');
  await became(email('again'), 'sent');
  // A release of svc-identity that doesn't know the question.
  identity.status = 404;
  await storeEntries(context, 'identity', [invitation(email('earlier'))]);
  await became(email('earlier'), 'sent');
});
