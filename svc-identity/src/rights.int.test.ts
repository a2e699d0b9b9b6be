import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { roles, type HistoryEntry, type Session, type User } from '@clinic/contracts';
import { startIdentityStack } from './testing/identity-stack.ts';
import { changeRights, changeRole, refresh, userRecord, verdict } from './testing/people.ts';
import { sessionUserOf } from './users/user-record.ts';
import { readEvents } from '@clinic/service-kit/read-events';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const stack = await startIdentityStack();
after(() => stack.close());

const mail = (name: string): string => `${name}.rights@clinic.example`;
const admin = await stack.login(mail('admin'), 'admin');
const other = await stack.login(mail('other-admin'), 'admin');

test('gives and takes a right beside the role, with history, message, and an end of older tokens', async () => {
  const email = mail('desk');
  const desk = await stack.login(email, 'patient');
  const given = await changeRights(admin, email, 'reception');
  assert.equal(given.status, 200);
  assert.deepEqual(((await given.json()) as User).rights, ['reception']);
  assert.deepEqual(await verdict(desk.fetch('/jwt/session')), [401, 'session_stale']);
  const { user } = (await (await refresh(desk)).json()) as Session;
  assert.deepEqual([user.role, user.rights], ['patient', ['reception']]);
  assert.deepEqual((await desk.read<User>(`/users/${email}`)).rights, ['reception']);

  assert.equal((await changeRights(admin, email, 'reception', false)).status, 200);
  assert.deepEqual(await verdict(desk.fetch('/jwt/session')), [401, 'session_stale']);
  assert.equal(((await (await refresh(desk)).json()) as Session).user.rights, undefined);
  assert.equal((await stack.user(email)).rights, undefined);

  const history = await admin.read<HistoryEntry[]>(`/users/${email}/history`);
  assert.deepEqual(
    history.slice(0, 2).map(({ action, before, after: now }) => [action, before, now]),
    [
      ['rights changed', { rights: ['reception'] }, { rights: [] }],
      ['rights changed', { rights: [] }, { rights: ['reception'] }],
    ],
  );
  const outbox = await stack.replica.context.db.collection('outbox').find({ 'to.email': email }).toArray();
  assert.deepEqual(
    outbox.filter(({ kind }) => kind === 'role-changed').map(({ data }) => data as unknown),
    [
      { role: 'patient', rights: ['reception'] },
      { role: 'patient', rights: [] },
    ],
  );
});

test('whoever may list users by a right is told when one changes', async () => {
  const email = mail('told');
  const desk = await stack.login(email, 'patient');
  await changeRights(admin, email, 'reception');
  await refresh(desk);
  const someone = await stack.login(mail('someone'), 'patient');
  const { body } = await desk.fetch('/jwt/changes');
  assert.ok(body);
  const { promise, resolve } = Promise.withResolvers<{ readonly lists: readonly string[] }>();
  const events = Readable.fromWeb(body);
  readEvents(events, ({ event, data }) => {
    // That of their own login may come before.
    if (event === 'change' && data.includes('listUsers')) resolve(JSON.parse(data) as { lists: string[] });
  });
  await someone.fetch(`/users/${mail('someone')}`, { method: 'PATCH', json: { phone: '+880 1555 010111' } });
  assert.ok(!(await promise).lists.includes('listInvitations'));
  events.destroy();
});

test('two admins who give different rights at once give both', async () => {
  const email = mail('both');
  await stack.users.insertOne(userRecord(email));
  const answers = await Promise.all([changeRights(admin, email, 'stock'), changeRights(other, email, 'reception')]);
  assert.deepEqual(statusesOf(answers), [200, 200]);
  assert.deepEqual((await stack.user(email)).rights, ['reception', 'stock']);
  const { version } = await stack.user(email);
  // The same again changes nothing and writes nothing.
  assert.equal((await changeRights(admin, email, 'stock')).status, 200);
  assert.equal((await stack.user(email)).version, version);
});

test('admins need no rights, unconfirmed addresses get none, and unknown rights are rejected', async () => {
  assert.deepEqual(await verdict(changeRights(admin, mail('admin'), 'stock')), [409, 'own_role']);
  const unconfirmed = mail('unconfirmed');
  await stack.users.insertOne(userRecord(unconfirmed, { emailVerified: false }));
  assert.deepEqual(await verdict(changeRights(admin, unconfirmed, 'stock')), [403, 'email_unconfirmed']);
  const boss = mail('boss');
  await stack.users.insertOne(userRecord(boss, { role: 'admin' }));
  assert.deepEqual(await verdict(changeRights(admin, boss, 'stock')), [409, 'transition_refused']);
  assert.deepEqual(await verdict(changeRights(admin, unconfirmed, 'everything')), [400, 'validation_failed']);
  assert.deepEqual(await verdict(changeRights(admin, mail('nobody'), 'stock')), [404, 'not_found']);
  for (const email of [unconfirmed, boss]) assert.equal((await stack.user(email)).rights, undefined);
});

test('another role ends the rights', async () => {
  const email = mail('promoted');
  await stack.users.insertOne(userRecord(email, { rights: ['reception'] }));
  assert.equal((await changeRole(stack, admin, email, 'pharmacist')).status, 200);
  const { role, rights } = await stack.user(email);
  assert.deepEqual([role, rights], ['pharmacist', undefined]);
  const [latest] = await admin.read<HistoryEntry[]>(`/users/${email}/history`);
  assert.deepEqual(
    [latest?.before, latest?.after],
    [
      { role: 'patient', rights: ['reception'] },
      { role: 'pharmacist', rights: [] },
    ],
  );
});

const held = [[], ['reception'], ['stock'], ['reception', 'stock']] as const;
for (const { role, before } of roles.flatMap((role) => held.map((before) => ({ role, before }))))
  if (role !== 'admin' || before.length === 0)
    test(`a change of ${role} with ${before.join(' and ') || 'no rights'} is undone with the rights, once, and not over another admin's`, async () => {
      for (const newRole of roles.filter((one) => one !== role)) {
        const email = mail(`${role}-${before.join('-')}-${newRole}`);
        await stack.users.insertOne(userRecord(email, { role, ...(before.length > 0 && { rights: before }) }));
        const id = (await stack.user(email))._id.toHexString();
        const send = (body: object) => admin.fetch(`/update-role/${id}`, { method: 'PATCH', json: body });
        const stands = async () => {
          const { role: now, rights = [] } = await stack.user(email);
          return [now, rights];
        };
        assert.equal((await send({ newRole, seen: { role, rights: [...before].reverse() } })).status, 200);
        const undo = { newRole: role, rights: before, seen: { role: newRole } };
        const answer = await send(undo);
        assert.equal(answer.status, 200);
        const { rights = [] } = (await answer.json()) as User;
        assert.deepEqual(rights, before);
        assert.deepEqual(await stands(), [role, before]);
        // Sent twice after a lost answer, it is done once.
        const { version } = await stack.user(email);
        assert.equal((await send(undo)).status, 200);
        assert.equal((await stack.user(email)).version, version);
        if (newRole === 'admin') continue;
        await send({ newRole });
        // Whoever comes second, the other admin's right isn't lost unseen.
        const [undone, given] = await Promise.all([send(undo), changeRights(other, email, 'stock')]);
        const expected = undone.status === 200 ? [200, role] : [412, newRole];
        const [now, left] = await stands();
        assert.deepEqual([undone.status, now], expected);
        assert.ok(given.status === 409 ? role === 'admin' : left?.includes('stock'));
      }
    });

test('an outdated list changes no role, and nobody becomes an admin with rights or gets one unconfirmed', async () => {
  const email = mail('outdated');
  await stack.users.insertOne(userRecord(email, { rights: ['stock'] }));
  const unproven = mail('unproven');
  await stack.users.insertOne(userRecord(unproven, { role: 'doctor', emailVerified: false }));
  const send = async (to: string, body: object) => {
    const id = (await stack.user(to))._id.toHexString();
    return verdict(admin.fetch(`/update-role/${id}`, { method: 'PATCH', json: body }));
  };
  for (const seen of [
    { role: 'doctor', rights: ['stock'] },
    { role: 'patient' },
    { role: 'patient', rights: ['reception', 'stock'] },
  ])
    assert.deepEqual(await send(email, { newRole: 'pharmacist', seen }), [412, 'changed_meanwhile']);
  assert.deepEqual(await send(email, { newRole: 'admin', rights: ['stock'] }), [409, 'transition_refused']);
  assert.deepEqual(await send(unproven, { newRole: 'patient', rights: ['stock'] }), [403, 'email_unconfirmed']);
  const { role, rights } = await stack.user(email);
  assert.deepEqual([role, rights], ['patient', ['stock']]);
});

test('a right waits, as a staff role does, for what the clinic asks of staff', () => {
  const user = userRecord(mail('held'), { rights: ['reception'] });
  const { role, rights, held } = sessionUserOf(user, { secondFactor: true, longPassword: false });
  assert.deepEqual([role, rights, held], ['patient', undefined, { role: 'patient', until: 'second_factor' }]);
  assert.deepEqual(sessionUserOf(user, { secondFactor: false, longPassword: false }).rights, ['reception']);
  const plain = sessionUserOf(userRecord(mail('plain')), { secondFactor: true, longPassword: true });
  assert.deepEqual([plain.rights, plain.held], [undefined, undefined]);
});
