import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addDays, clinicMoment, type User } from '@clinic/contracts';
import { openBrowser, profile, type Browser } from './testing/browser.ts';
import { startIdentityStack } from './testing/identity-stack.ts';
import { userRecord, verdict } from './testing/people.ts';
import { putSecondFactor } from './testing/unconfirmed-people.ts';
import { holdClock } from '@clinic/service-kit/testing/hold-clock';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const stack = await startIdentityStack();
after(() => stack.close());

/** Asserts that there is one user with the registered profile, whatever the order of requests. */
async function assertRegisteredOnce(email: string): Promise<void> {
  const found = await stack.users.find({ email }).toArray();
  assert.equal(found.length, 1);
  const { firstName, lastName, phone, dateOfBirth, role, registered } = found[0] ?? assert.fail();
  assert.deepEqual(
    { firstName, lastName, phone, dateOfBirth, role, registered },
    { ...profile, role: 'patient', registered: true },
  );
  assert.ok(!JSON.stringify(found).includes('Correct-horse'), 'the password was stored');
  const events = await stack.events({ 'record.type': 'user', 'record.id': found[0]?._id.toHexString() });
  assert.equal(events.filter(({ action }) => action === 'user created').length, 1);
  assert.ok(events.filter(({ action }) => action === 'profile registered').length <= 1);
}

const orders: Record<string, (browser: Browser, email: string, idToken: string) => Promise<Response[]>> = {
  'signs in, then registers with the session': async (browser, email, idToken) => [
    await browser.startSession(email, idToken),
    await browser.register(email),
  ],
  'signs in, then registers with the ID token': async (browser, email, idToken) => [
    await browser.startSession(email, idToken),
    await browser.register(email, { idToken }),
  ],
  'registers, then signs in': async (browser, email, idToken) => [
    await browser.register(email, { idToken }),
    await browser.startSession(email, idToken),
  ],
  'does both at once': (browser, email, idToken) =>
    Promise.all([browser.startSession(email, idToken), browser.register(email, { idToken })]),
};
for (const [order, steps] of Object.entries(orders)) {
  test(`creates one user for someone who ${order}`, async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = `${order.replace(/\W/g, '')}${round}@clinic.example`;
      const answers = await steps(openBrowser(stack.url), email.toLowerCase(), await stack.signUp(email));
      assert.deepEqual(statusesOf(answers), [200, 200]);
      await assertRegisteredOnce(email.toLowerCase());
    }
  });
}

test('creates one user for twenty registrations and ten sign-ins at the same moment', async () => {
  const email = 'race@clinic.example';
  const idToken = await stack.signUp(email);
  const browser = openBrowser(stack.url);
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => browser.register(email, { idToken })),
    ...Array.from({ length: 10 }, () => browser.startSession(email, idToken)),
  ]);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const ids = await Promise.all(answers.slice(0, 20).map(async (answer) => ((await answer.json()) as User)._id));
  assert.equal(new Set(ids).size, 1);
  await assertRegisteredOnce(email);
});

test('keeps the first profile, and ignores a requested role', async () => {
  const email = 'twice@clinic.example';
  const idToken = await stack.signUp(email);
  const browser = openBrowser(stack.url);
  const first = (await (await browser.register(email, { idToken })).json()) as User;
  const again = await browser.register(email, { idToken, firstName: 'Other' });
  assert.equal(again.status, 200);
  assert.deepEqual(await again.json(), first);
  assert.deepEqual(first, {
    _id: first._id,
    ...profile,
    email,
    role: 'patient',
    emailVerified: false,
    secondFactor: false,
    createdAt: first.createdAt,
  });
});

const accounts: Record<string, (email: string, idToken: string) => Promise<unknown>> = {
  'an unfinished account': (email, idToken) => openBrowser(stack.url).startSession(email, idToken),
  'a finished account': (email, idToken) => openBrowser(stack.url).register(email, { idToken }),
  async 'an account with a second factor'(email, idToken) {
    await openBrowser(stack.url).register(email, { idToken });
    await putSecondFactor(stack, email);
  },
  async 'an account that is switched off'(email, idToken) {
    await openBrowser(stack.url).startSession(email, idToken);
    await stack.users.updateOne({ email }, { $set: { disabled: true } });
  },
};
for (const [kind, open] of Object.entries(accounts)) {
  test(`a sign-in of more than five minutes ago shows and changes nothing of ${kind}`, async () => {
    const email = `${kind.replace(/\W/g, '')}@mail.example`;
    const idToken = await stack.signInWithGoogle({ sub: email, email, name: 'Grace Hopper' });
    await open(email, idToken);
    const before = await stack.user(email);
    const old = aged(idToken, 301);
    const browser = openBrowser(stack.url);
    for (const call of [
      browser.startSession(email, old),
      browser.register(email, { idToken: old, firstName: 'Mallory' }),
    ])
      assert.deepEqual(await verdict(call), [401, 'unauthenticated']);
    assert.equal(browser.cookies.size, 0);
    assert.deepEqual(await stack.user(email), before);
  });
}

/** The emulator's ID token, which has no signature, for a sign-in of that many seconds ago. */
function aged(idToken: string, seconds: number): string {
  const [head, body = ''] = idToken.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { readonly auth_time: number };
  const older = { ...claims, auth_time: claims.auth_time - seconds };
  return `${head}.${Buffer.from(JSON.stringify(older)).toString('base64url')}.`;
}

test('rejects registration with another person’s email, without a session, and with an invalid profile', async () => {
  const idToken = await stack.signUp('me@clinic.example');
  const browser = openBrowser(stack.url);
  assert.equal((await browser.register('you@clinic.example', { idToken })).status, 403);
  assert.equal((await browser.register('me@clinic.example')).status, 401);
  await browser.startSession('me@clinic.example', idToken);
  assert.equal((await browser.register('you@clinic.example')).status, 403);
  assert.equal(await stack.users.countDocuments({ email: 'you@clinic.example' }), 0);
  const invalid = await browser.fetch('/users', {
    method: 'POST',
    json: { email: 'me@clinic.example', firstName: '', phone: 'x', dateOfBirth: '2026-02-30' },
  });
  const { errors } = (await invalid.json()) as { errors: { field: string }[] };
  assert.deepEqual(
    [invalid.status, errors.map(({ field }) => field)],
    [400, ['firstName', 'lastName', 'phone', 'dateOfBirth']],
  );
});

test('creates a patient on the first Google sign-in, and finds them again', async () => {
  const person = { sub: '1001', email: 'grace@mail.example', name: 'Grace Brewster Hopper' };
  const browser = openBrowser(stack.url);
  for (let visit = 0; visit < 2; visit += 1) {
    assert.equal((await browser.startSession(person.email, await stack.signInWithGoogle(person))).status, 200);
  }
  const { firstName, lastName, role, emailVerified, registered } = await stack.user(person.email);
  assert.deepEqual(
    { firstName, lastName, role, emailVerified, registered },
    { firstName: 'Grace', lastName: 'Brewster Hopper', role: 'patient', emailVerified: true, registered: false },
  );
  assert.equal((await browser.register(person.email)).status, 200);
  await assertRegisteredOnce(person.email);
});

test('drops invisible characters of a Google name', async () => {
  const person = {
    sub: '1003',
    email: 'hidden@mail.example',
    name: '\u202eGrace\u200b \u2066Brew\u200bster\u0007 র\u200d্যাব',
  };
  const idToken = await stack.signInWithGoogle(person);
  assert.equal((await openBrowser(stack.url).startSession(person.email, idToken)).status, 200);
  const { firstName, lastName } = await stack.user(person.email);
  assert.deepEqual([firstName, lastName], ['Grace', 'Brewster র\u200d্যাব']);
});

test('rejects a date of birth after today at the clinic, and stores nothing', async (t) => {
  holdClock(t);
  const today = clinicMoment(new Date(), stack.replica.context.settings.CLINIC_TZ).date;
  const email = 'unborn@clinic.example';
  const idToken = await stack.signUp(email);
  const browser = openBrowser(stack.url);
  for (const dateOfBirth of [addDays(today, 1), '2999-12-31']) {
    const answer = await browser.register(email, { idToken, dateOfBirth });
    const { code, errors } = (await answer.json()) as { code: string; errors: unknown };
    assert.deepEqual(
      [answer.status, code, errors],
      [400, 'validation_failed', [{ field: 'dateOfBirth', message: 'Date of birth can’t be in the future' }]],
    );
  }
  assert.equal(await stack.users.countDocuments({ email }), 0);
  assert.equal((await browser.register(email, { idToken, dateOfBirth: today })).status, 200);
  assert.equal((await stack.user(email)).dateOfBirth, today);
});

test('links an existing user by verified email only', async () => {
  const [dora, dina] = ['dora@clinic.example', 'dina@clinic.example'];
  await stack.users.insertMany([userRecord(dora, { role: 'doctor' }), userRecord(dina, { role: 'doctor' })]);
  const browser = openBrowser(stack.url);
  // Anybody can sign up with the address of a doctor who has never signed in.
  assert.equal((await browser.startSession(dora, await stack.signUp(dora))).status, 403);
  assert.equal((await browser.register(dora, { idToken: await stack.signInWithPassword(dora) })).status, 403);
  assert.equal((await stack.user(dora)).uid, undefined);
  const idToken = await stack.signInWithGoogle({ sub: '1002', email: dina });
  assert.equal((await browser.startSession(dina, idToken)).status, 200);
  assert.equal((await stack.user(dina)).role, 'doctor');
});

test('lets an unconfirmed patient sign up again after the emulator lost the account, but nobody with rights or a confirmed address', async () => {
  const browser = openBrowser(stack.url);
  for (const [email, changes, status] of [
    ['lost-patient@clinic.example', { uid: 'gone-1', emailVerified: false }, 200],
    ['lost-confirmed@clinic.example', { uid: 'gone-3' }, 403],
    ['lost-doctor@clinic.example', { uid: 'gone-2', role: 'doctor' }, 403],
  ] as const) {
    await stack.users.insertOne(userRecord(email, changes));
    assert.equal((await browser.startSession(email, await stack.signUp(email))).status, status, email);
  }
});
