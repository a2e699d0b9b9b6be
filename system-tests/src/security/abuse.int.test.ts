import assert from 'node:assert/strict';
import { before, describe, mock, test } from 'node:test';
import type { Problem } from '@clinic/contracts';
import { demoPassword } from '@clinic/demo-data';
import { bystanders, people } from '../support/three-services.ts';
import {
  signIns,
  triesPerAddress,
  wrongPasswords,
  openOrders,
  freeAccounts,
  clinic,
  stocked,
  send,
  firebase,
  countByStatus,
  solve,
  assertWaits,
  meanwhile,
  startForTests,
} from './attacks.ts';

startForTests();
// No window of a limit ends while a busy machine still sends a flood.
before(() => mock.timers.enable({ apis: ['Date'], now: Date.now() }));

/** Signs up with Firebase. @returns the proof of it */
const signUp = async (address: string, email: string): Promise<string> =>
  (await firebase(address, 'signUp', { email, password: demoPassword })).json<{ idToken: string }>().idToken;

const register = (address: string, email: string, idToken: string, proof?: string) =>
  send(address, '/users', {
    method: 'POST',
    bearer: idToken,
    json: { email, firstName: 'Flo', lastName: 'Od', phone: '+880 1555 010999', dateOfBirth: '1990-01-01' },
    ...(proof !== undefined && { proof }),
  });

const startSession = (address: string, email: string, { json }: Awaited<ReturnType<typeof firebase>>) =>
  send(address, '/jwt', { method: 'POST', json: { email }, bearer: json<{ idToken: string }>().idToken });

describe('floods', () => {
  test('of registrations hit a limit, first at the sign-in, then here', async () => {
    const address = '203.0.113.20';
    const signedUp = await meanwhile(
      (async () => {
        const answers = [];
        for (let batch = 0; batch < 8; batch += 1)
          answers.push(
            ...(await Promise.all(
              Array.from({ length: 40 }, (_, one) =>
                firebase(address, 'signUp', { email: `flood${batch}.${one}@mail.example`, password: demoPassword }),
              ),
            )),
          );
        return answers;
      })(),
    );
    assert.deepEqual(countByStatus(signedUp), { 200: triesPerAddress, 429: 320 - triesPerAddress });
    assertWaits(signedUp, 429);
    const accounts = signedUp
      .filter(({ status }) => status === 200)
      .slice(0, 80)
      .map(({ json }) => json<{ email: string; idToken: string }>());
    const registered: Awaited<ReturnType<typeof register>>[] = [];
    // Few at once: one that a busy machine has no time for would count as one of the free ones and make no account.
    for (let at = 0; at < accounts.length; at += 8)
      registered.push(
        ...(await meanwhile(
          Promise.all(accounts.slice(at, at + 8).map(({ email, idToken }) => register(address, email, idToken))),
        )),
      );
    assert.deepEqual(countByStatus(registered), { 200: freeAccounts, 429: 80 - freeAccounts });
    assertWaits(registered, 429);
    const problems = registered.filter(({ status }) => status === 429).map(({ json }) => json<Problem>());
    for (const { code } of problems) assert.equal(code, 'rate_limited');
    // Requests over the limit per minute get no challenge; the others do.
    assert.equal(problems.filter(({ challenge }) => challenge === undefined).length, 80 - signIns);
    assert.equal(
      await clinic.services.databases.identity.collection('users').countDocuments({ email: /^flood/ }),
      freeAccounts,
    );
    // Somebody new, from elsewhere.
    const ann = 'ann.new@mail.example';
    assert.equal((await register('198.51.100.8', ann, await signUp('198.51.100.8', ann))).status, 200);
  });

  test('of disposable accounts from one address get no further by work than a waiting room does', async () => {
    const address = '203.0.113.24';
    const counts = clinic.services.databases.identity.collection<{ readonly level: number; readonly at: Date }>(
      'counts',
    );
    const made: string[] = [];
    const rejected: number[] = [];
    for (let one = 0; one < freeAccounts + 4; one += 1) {
      // After the free ones and one by work, as if the waiting room had registered.
      if (one === freeAccounts + 1)
        await counts.updateMany(
          { level: { $gt: freeAccounts - 1 } },
          { $set: { level: 12 * freeAccounts, at: new Date() } },
        );
      const email = `throwaway${one}@mail.example`;
      const idToken = await signUp(address, email);
      const first = await register(address, email, idToken);
      const { challenge } = first.json<Problem>();
      const answer = challenge ? await register(address, email, idToken, await solve(challenge)) : first;
      if (answer.status === 200) made.push(email);
      else rejected.push(answer.json<Problem>().challenge?.waitSeconds ?? 0);
    }
    assert.equal(made.length, freeAccounts + 1);
    assert.ok(
      rejected.every((seconds) => seconds > 0),
      String(rejected),
    );
    assert.equal(
      await clinic.services.databases.identity.collection('users').countDocuments({ email: /^throwaway/ }),
      made.length,
    );
  });

  test('of passwords are cut off after a few, and don’t affect the owner of the account', async () => {
    const { email } = people.doctor;
    const guess = (password: string) => firebase('203.0.113.21', 'signInWithPassword', { email, password });
    const guesses = await meanwhile(Promise.all(Array.from({ length: 60 }, (_, one) => guess(`Guess-${one}`))));
    assert.deepEqual(countByStatus(guesses), { 400: wrongPasswords, 429: 60 - wrongPasswords });
    assertWaits(guesses, 429);
    for (const { json } of guesses.filter(({ status }) => status === 429))
      assert.equal(json<{ error: { message: string } }>().error.message, 'TOO_MANY_ATTEMPTS_TRY_LATER');
    assert.equal((await guess(demoPassword)).status, 429);
    const proof = await firebase('198.51.100.9', 'signInWithPassword', { email, password: demoPassword });
    assert.equal(proof.status, 200);
    assert.equal((await startSession('198.51.100.9', email, proof)).status, 200);
  });

  test('of passwords from everywhere don’t lock out the owner where they have signed in before', async () => {
    const { email } = people.pharmacist;
    const signIn = (address: string, password: string, cookie?: string) =>
      firebase(address, 'signInWithPassword', { email, password }, cookie);
    const usual = await signIn('198.51.100.30', demoPassword);
    assert.equal(usual.status, 200);
    assert.match(usual.cookies, /^clinic_device_/);
    // One network more than it takes to lock the account for a minute.
    const guesses = await meanwhile(
      Promise.all(
        Array.from({ length: 11 }, (_, network) =>
          Array.from({ length: wrongPasswords }, (_, one) => signIn(`203.0.113.${100 + network}`, `Guess-${one}`)),
        ).flat(),
      ),
    );
    assert.deepEqual(countByStatus(guesses), { 400: 10 * wrongPasswords, 429: wrongPasswords });
    // The guesser waits in any case: with the right password from an unknown device, another account's cookie, or a
    // forged one.
    const theirs = (
      await firebase('203.0.113.120', 'signInWithPassword', { email: people.patient.email, password: demoPassword })
    ).cookies;
    const [name = ''] = usual.cookies.split('=');
    for (const cookie of [undefined, theirs, `${name}=${theirs.split('=')[1]}`, `${usual.cookies}x`])
      assert.equal((await signIn('203.0.113.120', demoPassword, cookie)).status, 429);
    // The owner still gets in, even from other networks than last time.
    for (const address of ['198.51.100.31', '203.0.113.100', '198.51.100.32']) {
      const proof = await signIn(address, demoPassword, usual.cookies);
      assert.equal(proof.status, 200);
      assert.equal((await startSession(address, email, proof)).status, 200);
    }
    // A stolen device gets no more guesses than a network.
    const stolen = await Promise.all(
      Array.from({ length: 30 }, (_, one) => signIn(`203.0.113.${130 + one}`, `Guess-${one}`, usual.cookies)),
    );
    assert.deepEqual(countByStatus(stolen), { 400: wrongPasswords, 429: 30 - wrongPasswords });
  });

  test('of invalid proofs hit a limit, too', async () => {
    const tries = await meanwhile(
      Promise.all(
        Array.from({ length: 90 }, (_, one) =>
          send('203.0.113.22', '/jwt', { method: 'POST', json: { email: people.admin.email }, bearer: `a.b.c${one}` }),
        ),
      ),
    );
    assert.deepEqual(countByStatus(tries), { 401: signIns, 429: 90 - signIns });
    assertWaits(tries, 429);
  });

  test('of orders get no more than one customer may have open, and take no more stock', async () => {
    const [email = ''] = bystanders;
    const cookie = await clinic.services.signIn(email);
    const medicineId = stocked[0]?.medicine.medicineId ?? '';
    const left = async (): Promise<number> =>
      Number((await clinic.services.databases.pharmacy.collection('medicines').findOne({ medicineId }))?.['quantity']);
    const stock = await left();
    const open = (): Promise<number> =>
      clinic.services.databases.pharmacy
        .collection('orders')
        .countDocuments({ customerEmail: email, status: 'pending' });
    const before = await open();
    const order = (key: string, ...items: readonly { readonly medicineId: string; readonly quantity: number }[]) =>
      send('203.0.113.23', '/orderMedi', {
        method: 'POST',
        cookie,
        key,
        json: {
          items,
          deliveryAddress: '1 Flood Road',
          customeremail: email,
          customerPhone: '+880 1555 010997',
        },
      });
    const one = (at: number) => order(`flood-of-orders-${at}`, { medicineId, quantity: 1 });
    const answers = await meanwhile(Promise.all(Array.from({ length: 300 }, (_, at) => one(at))));
    assertWaits(answers, 503);
    // Again, as their senders are asked to: a busy machine may have had no time for all, also for the answer, or no turn for enough.
    for (const at of answers.keys())
      while (answers[at]?.status === 503 || (answers[at]?.status === 429 && (await open()) < openOrders))
        answers[at] = await one(at);
    const { 201: made = 0, 409: rejected = 0, 429: tooMany = 0, ...otherwise } = countByStatus(answers);
    assert.deepEqual(otherwise, {});
    assert.equal(made + rejected + tooMany, 300);
    for (const { json } of answers.filter(({ status }) => status === 409))
      assert.equal(json<Problem>().code, 'too_many_orders');
    assertWaits(answers, 429);
    assert.equal(made, openOrders - before);
    assert.equal(await open(), openOrders);
    assert.equal(await left(), stock - made);
    // A quantity larger than any stock, and more lines than any form sends.
    assert.equal((await order('too-many', { medicineId, quantity: 1_000_000 })).status, 400);
    const endless = Array.from({ length: 101 }, () => ({ medicineId, quantity: 1 }));
    assert.equal((await order('endless', ...endless)).status, 400);
  });
});
