import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import type { OpenSession } from '@clinic/contracts';
import { startService } from '@clinic/service-kit';
import { shopService } from '@clinic/service-kit/testing/shop-service';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { readEvents } from '@clinic/service-kit/read-events';
import { invite } from '../testing/invitations.ts';
import { openBrowser, type Browser } from '../testing/browser.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { ageProof, confirmedPerson, refresh, verdict, type Person } from '../testing/people.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const stack = await startIdentityStack();
after(() => stack.close());

const android =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
const list = (browser: Browser, { email }: Person) => browser.read<OpenSession[]>(`/users/${email}/sessions`);
const end = (browser: Browser, { email }: Person, id = ''): Promise<Response> =>
  browser.fetch(`/users/${email}/sessions/${id}`, { method: 'DELETE' });
const actions = async ({ email }: Person): Promise<string[]> =>
  (await stack.events({ subject: email })).map(({ action }) => action);

test('lists a user’s sessions with device, start and which one is current, without secrets', async () => {
  const began = Date.now();
  const ann = await confirmedPerson(stack, 'ann@mail.example');
  const phone = await ann.elsewhere(android);
  const shown = await list(phone, ann);
  assert.deepEqual(
    shown.map(({ device, current }) => [device, current]),
    [
      ['Chrome on Android', true],
      ['Unknown browser', false],
    ],
  );
  for (const { since, lastUsedAt, address, ...rest } of shown) {
    const times = [began, Date.parse(since), Date.parse(lastUsedAt), Date.now()];
    assert.deepEqual(
      times.toSorted((one, other) => one - other),
      times,
    );
    assert.equal(address, '127.0.0.1');
    assert.deepEqual(Object.keys(rest), ['_id', 'current', 'device']);
  }
  // Most recently used first.
  await stack.sessions.updateOne({ userAgent: android }, { $set: { lastUsedAt: new Date(Date.now() - 60_000) } });
  assert.deepEqual(
    (await list(ann, ann)).map(({ device }) => device),
    ['Unknown browser', 'Chrome on Android'],
  );
});

test('leaves out sessions that have ended', async () => {
  const person = await confirmedPerson(stack, 'over@mail.example');
  const [idle, left] = [await person.elsewhere('idle'), await person.elsewhere('left')];
  await stack.sessions.updateOne({ userAgent: 'idle' }, { $set: { idleUntil: new Date(Date.now() - 1) } });
  await left.fetch('/jwt', { method: 'DELETE' });
  assert.deepEqual(
    (await list(person, person)).map(({ current }) => current),
    [true],
  );
  assert.equal((await refresh(idle)).status, 401);
});

test('ends one session in all services, and no others', async () => {
  const shop = await startService(shopService, {
    env: { ...stack.env, MONGODB_DATABASE: 'shop-sessions', LOG_LEVEL: 'silent', IDENTITY_URL: stack.url },
  });
  try {
    const person = await confirmedPerson(stack, 'one@mail.example');
    const phone = await person.elsewhere(android);
    const atShop = openBrowser(shop.url, phone.cookies);
    const statusAtShop = async () => (await atShop.fetch(`/orderMedi?email=${person.email}`)).status;
    await waitUntil(async () => (await statusAtShop()) === 200);

    const id = (await list(person, person)).find(({ current }) => !current)?._id;
    assert.equal((await end(person, person, id)).status, 204);
    await waitUntil(async () => (await statusAtShop()) !== 200);
    assert.equal((await phone.fetch('/jwt/session')).status, 401);
    assert.equal((await refresh(phone)).status, 401);
    assert.equal((await person.fetch('/jwt/session')).status, 200);
    assert.equal((await actions(person)).at(-1), 'session ended');
    assert.deepEqual(await verdict(end(person, person, id)), [404, 'not_found']);
    assert.equal((await actions(person)).filter((action) => action === 'session ended').length, 1);
  } finally {
    await shop.close();
  }
});

test('a session ended five times at once ends once; ending the current one clears its cookies', async () => {
  const person = await confirmedPerson(stack, 'itself@mail.example');
  await person.elsewhere(android);
  const other = (await list(person, person)).find(({ current }) => !current)?._id;
  const answers = await Promise.all(Array.from({ length: 5 }, () => end(person, person, other)));
  assert.deepEqual(statusesOf(answers), [204, 404, 404, 404, 404]);
  assert.equal((await actions(person)).filter((action) => action === 'session ended').length, 1);
  const own = (await list(person, person)).find(({ current }) => current)?._id;
  assert.equal((await end(person, person, own)).status, 204);
  assert.equal(person.cookies.size, 0);
});

test('nobody can see or end other people’s sessions, not even an admin', async () => {
  const person = await confirmedPerson(stack, 'owner@mail.example');
  const stranger = await confirmedPerson(stack, 'stranger@mail.example');
  const admin = await confirmedPerson(stack, 'ada@clinic.example', 'admin');
  const [session] = await list(person, person);
  for (const other of [stranger, admin]) {
    assert.deepEqual(await verdict(other.fetch(`/users/${person.email}/sessions`)), [403, 'forbidden']);
    assert.deepEqual(await verdict(end(other, person, session?._id)), [403, 'forbidden']);
    // Nor through their own address.
    assert.deepEqual(await verdict(end(other, other, session?._id)), [404, 'not_found']);
  }
  assert.equal((await person.fetch('/jwt/session')).status, 200);
  assert.deepEqual(await verdict(end(person, person, 'f'.repeat(24))), [404, 'not_found']);
  assert.deepEqual(await verdict(end(person, person, 'x')), [400, 'bad_id']);
  // One's own sessions need no fresh proof: ending one does no harm.
  await ageProof(stack, person);
  assert.equal((await end(person, person, session?._id)).status, 204);
});

test('the lists of sessions and of invitations on screen are loaded again when somebody changes them', async () => {
  const [liv, admin] = [
    await confirmedPerson(stack, 'liv@mail.example'),
    await confirmedPerson(stack, 'a@clinic.example', 'admin'),
  ];
  /** @returns waits until the open stream has named a list */
  const watch = async (browser: Browser) => {
    const { body } = await browser.fetch('/jwt/changes');
    const lists: string[] = [];
    const events = Readable.fromWeb(body ?? assert.fail());
    readEvents(events, ({ event, data }) => {
      if (event === 'change') lists.push(...(JSON.parse(data) as { lists: string[] }).lists);
    });
    return {
      tells: (list: string) => waitUntil(() => Promise.resolve(assert.ok(lists.splice(0).includes(list), list))),
      end: () => events.destroy(),
    };
  };
  const [own, staff] = [await watch(liv), await watch(admin)];
  const phone = await liv.elsewhere(android);
  await own.tells('listSessions');
  assert.equal((await phone.fetch('/jwt', { method: 'DELETE' })).status, 204);
  await own.tells('listSessions');
  assert.equal((await invite(admin, 'grey@clinic.example')).status, 201);
  await staff.tells('listInvitations');
  own.end();
  staff.end();
});
