import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { erasedEmail } from '@clinic/contracts/erased-person';
import type { Deletion } from '../contract/schemas.ts';
import { erasedAccounts, outboxOf, type OpenDeletion } from '@clinic/service-kit';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { invite } from '../testing/invitations.ts';
import { changeRights, confirmedPerson, verdict, type Person } from '../testing/people.ts';
import { noteErased } from './erased-accounts.ts';
import { retireService } from './retire-service.ts';

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await confirmedPerson(stack, 'ada@clinic.example', 'admin');

/** Whom a service is asked to erase. */
const asked = async (service: string): Promise<OpenDeletion[]> => {
  const answer = await stack.internal(`/internal/deletions?service=${service}`);
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { deletions: OpenDeletion[] }).deletions;
};
const report = async (service: string, id: string, done = true): Promise<void> => {
  const json = { service, done, records: 3, cancelled: 1, events: 2 };
  assert.equal((await stack.internal(`/internal/deletions/${id}`, { method: 'POST', json })).status, 204);
};
const stateOf = async (id: string): Promise<Deletion> => {
  const answer = await admin.fetch(`/users/deletions/${id}`);
  assert.equal(answer.status, 200);
  return (await answer.json()) as Deletion;
};
const finished = (id: string): Promise<Deletion> =>
  waitUntil(async () => {
    const deletion = await stateOf(id);
    return deletion.finishedAt !== undefined && deletion;
  });
const start = async ({ email }: Person): Promise<void> =>
  assert.equal((await admin.fetch(`/users/${email}/erasure`, { method: 'POST', json: {} })).status, 200);

test('a deletion waits for every service that has ever asked, and for none that was retired', async () => {
  const zeb = await confirmedPerson(stack, 'zeb@mail.example');
  assert.deepEqual([await asked('clinic'), await asked('home-visits')], [[], []]);
  await start(zeb);
  const [open] = await asked('clinic');
  assert.deepEqual(
    open?.person.addresses.map(({ email, confirmed, others }) => ({ email, confirmed, others })),
    [{ email: zeb.email, confirmed: true, others: [] }],
  );
  await report('clinic', zeb.id, false);
  const { services, account } = await stateOf(zeb.id);
  assert.deepEqual(
    services.map(({ service, state, records, cancelled }) => [service, state, records, cancelled]),
    [
      ['clinic', 'working', 3, 1],
      ['home-visits', 'waiting', 0, 0],
    ],
  );
  assert.equal(account.state, 'waiting');
  await report('clinic', zeb.id);
  assert.deepEqual(await asked('clinic'), []);
  // A late report of an earlier step changes nothing.
  await report('clinic', zeb.id, false);
  assert.equal((await stateOf(zeb.id)).services[0]?.state, 'done');
  assert.equal(await stack.users.countDocuments({ email: zeb.email }), 1);
  assert.equal(await retireService(stack.replica.context, 'home-visits'), true);
  assert.equal(await retireService(stack.replica.context, 'home-visits'), false);
  assert.deepEqual((await finished(zeb.id)).account, { state: 'done', signInAccount: 'deleted' });
  assert.equal(await stack.users.countDocuments({ email: zeb.email }), 0);
  await retireService(stack.replica.context, 'clinic');
});

test('messages that nobody has taken go with their person, and nothing is written in their name any more', async () => {
  const zeb = await confirmedPerson(stack, 'written@mail.example');
  await changeRights(admin, zeb.email, 'stock');
  assert.equal((await invite(admin, zeb.email)).status, 201);
  const outbox = outboxOf(stack.replica.context);
  assert.equal(await outbox.countDocuments({ 'to.email': zeb.email }), 2);
  await start(zeb);
  await finished(zeb.id);
  assert.equal(await outbox.countDocuments({ 'to.email': zeb.email }), 0);
  assert.deepEqual(await erasedAccounts(stack.replica.context, [zeb.id, admin.id]), [zeb.id]);
});

test('what an earlier release has begun is finished, by the account alone if nothing else is left', async () => {
  const locked = await confirmedPerson(stack, 'locked@mail.example');
  await stack.users.updateOne({ email: locked.email }, { $set: { disabled: true, erasingSince: new Date() } });
  const gone = new ObjectId();
  await stack.replica.context.inTransaction((session) => noteErased(stack.replica.context, session, gone, undefined));
  const open = await asked('pharmacy');
  assert.deepEqual(Object.fromEntries(open.map(({ person }) => [person.id, person.addresses.length])), {
    [locked.id]: 1,
    [gone.toHexString()]: 0,
  });
  for (const { person } of open) await report('pharmacy', person.id);
  await Promise.all(open.map(({ person }) => finished(person.id)));
  assert.equal(await stack.users.countDocuments({ email: locked.email }), 0);
  await retireService(stack.replica.context, 'pharmacy');
});

test('a deleted account stays nobody’s, also once somebody else has its address', async () => {
  const email = 'passed-on@mail.example';
  const first = await confirmedPerson(stack, email);
  await first.fetch(`/users/${email}`, { method: 'DELETE' });
  await finished(first.id);
  const asks = (id = ''): Promise<Response> => stack.internal(`/internal/person?email=${email}${id && `&id=${id}`}`);
  const nobody = { id: first.id, email: erasedEmail(first.id), addresses: [] };
  assert.deepEqual(await (await asks(first.id)).json(), nobody);
  const next = await confirmedPerson(stack, email);
  assert.deepEqual(await (await asks(first.id)).json(), nobody);
  for (const id of [undefined, next.id]) assert.equal(((await (await asks(id)).json()) as { id?: string }).id, next.id);
  assert.equal((await asks('nobody')).status, 400);
});

test('only admins see how a deletion goes, and only services take part', async () => {
  const zeb = await confirmedPerson(stack, 'zoe@mail.example');
  assert.deepEqual(await verdict(zeb.fetch(`/users/deletions/${zeb.id}`)), [403, 'forbidden']);
  assert.deepEqual(await verdict(admin.fetch(`/users/deletions/${zeb.id}`)), [404, 'not_found']);
  for (const path of ['/internal/deletions?service=clinic', `/internal/person?email=${zeb.email}`])
    assert.equal((await stack.anonymous(path)).status, 401);
  assert.equal((await stack.internal('/internal/deletions?service=No%20name')).status, 400);
});
