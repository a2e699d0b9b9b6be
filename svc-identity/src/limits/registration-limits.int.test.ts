import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { leadingZeroBits, proofText } from '@clinic/contracts/proof-of-work';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { ProblemError } from '@clinic/service-kit';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { newcomersTo, solve } from '../testing/newcomers.ts';
import { registrationLimits } from './registration-limits.ts';

const free = 5;

const stack = await startIdentityStack({ REGISTRATIONS_PER_HOUR_AND_NETWORK: String(free) });
after(() => stack.close());
const second = (await stack.addReplica()).url;

const { newcomer, newcomers, register } = newcomersTo(stack);

/** Registers as many accounts as are free for a network. */
async function useUp(address: string): Promise<void> {
  for (const person of await newcomers(free)) assert.equal((await register(person, address)).status, 200);
}

const counts = () => stack.replica.context.db.collection('counts');

/** Advances time for all networks. */
async function pass(seconds: number): Promise<void> {
  for (const { _id, at } of await counts()
    .find({ salt: { $exists: true } })
    .toArray())
    await counts().updateOne({ _id }, { $set: { at: new Date((at as Date).getTime() - seconds * 1_000) } });
}

describe('new accounts from one network', () => {
  test('are unrestricted up to the number that a family needs', async () => {
    await useUp('203.0.113.1');
    assert.equal((await register(await newcomer(), '203.0.113.2')).status, 200);
  });

  test('then need growing work but no wait, as many as a full waiting room has', async () => {
    const address = '203.0.113.3';
    await useUp(address);
    const bits: number[] = [];
    for (let one = 0; one < 12; one += 1) {
      const person = await newcomer();
      const { status, challenge } = await register(person, address);
      assert.deepEqual([status, challenge?.waitSeconds], [429, 0]);
      assert.ok(challenge);
      bits.push(challenge.bits);
      assert.equal((await register(person, address, { proof: solve(challenge) })).status, 200);
      assert.equal(await stack.users.countDocuments({ email: person.email }), 1);
    }
    assert.deepEqual(bits, [14, 14, 14, 15, 15, 15, 16, 16, 16, 17, 17, 17]);
  });

  test('need longer and longer waits over a crowd', async () => {
    const address = '203.0.113.11';
    await useUp(address);
    const hashed = (
      await counts()
        .find({ salt: { $exists: true } })
        .sort({ at: -1 })
        .limit(1)
        .next()
    )?._id;
    for (const [over, wait = 0] of [
      [25, 0],
      [26, 15],
      [27, 30],
      [33, 900],
      [60, 900],
    ]) {
      const level = free + (over ?? 0) - 1;
      await counts().updateOne({ _id: hashed }, { $set: { level, at: new Date(), accounts: [] } });
      const person = await newcomer();
      const { challenge, wait: retryAfter } = await register(person, address);
      assert.ok(challenge);
      assert.equal(challenge.bits, 20);
      // The wait includes the time since the previous account.
      assert.ok(
        challenge.waitSeconds <= wait && challenge.waitSeconds >= Math.max(0, wait - 10),
        `${challenge.waitSeconds} of ${wait} s`,
      );
      assert.equal(retryAfter, Math.max(1, challenge.waitSeconds));
      if (wait !== 15) continue;
      const proof = solve({ ...challenge, bits: 19 });
      // Solving may have taken longer than the wait.
      await counts().updateOne({ _id: hashed }, { $set: { level, at: new Date() } });
      const early = await register(person, address, { proof });
      assert.deepEqual([early.status, early.challenge?.salt], [429, challenge.salt]);
      assert.match(early.detail ?? '', /^Many accounts have been created from your network\. Try again in a minute\.$/);
      assert.equal(await stack.users.countDocuments({ email: person.email }), 0);
      await counts().updateOne({ _id: hashed }, { $set: { level, at: new Date(Date.now() - wait * 1_000) } });
      assert.equal((await register(person, address, { proof })).status, 200);
    }
  });

  test('are free again after an hour', async () => {
    const address = '203.0.113.4';
    await useUp(address);
    await pass(3_600);
    await useUp(address);
    assert.equal((await register(await newcomer(), address)).status, 429);
  });

  test('are counted over forms, first sign-ins and both replicas together, even concurrently', async () => {
    const address = '203.0.113.5';
    const all = await newcomers(24);
    const answers = await Promise.all(
      all.map((person, one) =>
        register(person, address, {
          url: one % 2 === 0 ? stack.url : second,
          call: one % 3 === 0 ? 'jwt' : 'users',
        }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, free);
    assert.equal(answers.filter(({ status }) => status === 429).length, 24 - free);
    assert.equal(await stack.users.countDocuments({ email: { $in: all.map(({ email }) => email) } }), free);
  });

  test('need a proof of work each, which people of one network compute side by side', async () => {
    const address = '203.0.113.6';
    await useUp(address);
    const all = await newcomers(10);
    const challenges = await Promise.all(
      all.map(async (person, one) => {
        const { challenge } = await register(person, address, { url: one % 2 === 0 ? stack.url : second });
        return challenge ?? assert.fail('no challenge');
      }),
    );
    assert.equal(new Set(challenges.map(({ salt }) => salt)).size, all.length);
    const proofs = challenges.map((challenge) => solve({ ...challenge, bits: 16 }));
    const [proof = ''] = proofs;
    const another = await Promise.all(all.slice(1).map((person) => register(person, address, { proof })));
    assert.deepEqual(new Set(another.map(({ status }) => status)), new Set([429]));
    const answers = await Promise.all(
      all.map((person, one) =>
        register(person, address, { proof: proofs[one] ?? '', url: one % 2 === 0 ? stack.url : second }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      all.map(() => 200),
    );
    assert.equal(await stack.users.countDocuments({ email: { $in: all.map(({ email }) => email) } }), all.length);
  });

  test('are rejected with an invalid proof of work, or another network’s', async () => {
    const [address, other] = ['203.0.113.7', '203.0.113.8'];
    await Promise.all([useUp(address), useUp(other)]);
    const person = await newcomer();
    const { challenge } = await register(person, address);
    const elsewhere = (await register(person, other)).challenge;
    assert.ok(challenge && elsewhere);
    const proof = solve(challenge);
    const [salt = '', number = ''] = proof.split('.');
    const tooEasy =
      Array.from({ length: 100 }, (_, one) => proofText(salt, one)).find(
        (text) => leadingZeroBits(createHash('sha256').update(text).digest()) < challenge.bits,
      ) ?? '';
    for (const wrong of [
      '',
      'x',
      salt,
      `${salt}.`,
      `.${number}`,
      tooEasy,
      solve(elsewhere),
      `${proof} `.repeat(2),
      `${salt}.${'9'.repeat(400)}`,
    ]) {
      assert.equal((await register(person, address, { proof: wrong })).status, 429, wrong.slice(0, 60));
    }
    assert.equal(await stack.users.countDocuments({ email: person.email }), 0);
    assert.equal((await register(person, address, { proof })).status, 200);
  });

  test('of an IPv6 network count together', async () => {
    const all = await newcomers(free + 1);
    const answers = [];
    for (const [one, person] of all.entries()) answers.push((await register(person, `2001:db8:1:2::${one}`)).status);
    assert.deepEqual(answers, [...Array.from({ length: free }, () => 200), 429]);
  });

  test('count once per account, and not at all if the user exists', async () => {
    const address = '203.0.113.9';
    const known = await newcomer();
    for (let time = 0; time < 3; time += 1) {
      assert.equal((await register(known, address)).status, 200);
      assert.equal((await register(known, address, { call: 'jwt' })).status, 200);
    }
    // Concurrently, as browsers do that report the sign-in while the form is being saved.
    for (const person of await newcomers(free - 1)) {
      const both = await Promise.all([
        register(person, address),
        register(person, address, { call: 'jwt', url: second }),
      ]);
      assert.deepEqual([both[0].status, both[1].status], [200, 200]);
    }
    await useUp('203.0.113.10');
    assert.equal((await register(await newcomer(), address)).status, 429);
    // Existing users can still sign in from there.
    assert.equal((await register(known, address, { call: 'jwt' })).status, 200);
  });

  test('store no network address', async () => {
    const kept = JSON.stringify(await stack.replica.context.db.collection('counts').find().toArray());
    assert.doesNotMatch(kept, /203\.0|2001:db8|mail\.example/);
  });
});

test('are unlimited from the clinic’s own networks', async () => {
  const own = await stack.addReplica({
    REGISTRATIONS_PER_HOUR_AND_NETWORK: '0',
    REGISTRATIONS_UNLIMITED_FROM: '198.51.100.0/24, 2001:db8:9::/48,192.0.2.7',
  });
  const statusFrom = async (address: string) => (await register(await newcomer(), address, { url: own.url })).status;
  for (const address of ['198.51.100.1', '198.51.100.1', '::ffff:198.51.100.200', '2001:db8:9:1::5', '192.0.2.7'])
    assert.equal(await statusFrom(address), 200, address);
  for (const address of ['198.51.101.1', '2001:db8:8::5', '192.0.2.8'])
    assert.equal(await statusFrom(address), 429, address);
});

test('need proof of work from the first, if none are free', async () => {
  const strict = await stack.addReplica({ REGISTRATIONS_PER_HOUR_AND_NETWORK: '0' });
  const person = await newcomer();
  const { status, challenge } = await register(person, '203.0.113.20', { url: strict.url });
  assert.deepEqual([status, challenge?.bits, challenge?.waitSeconds], [429, 14, 0]);
  assert.ok(challenge);
  const proved = await register(person, '203.0.113.20', { url: strict.url, proof: solve(challenge) });
  assert.equal(proved.status, 200);
});

test('get a challenge to work off while too many others of their network are being counted', async () => {
  const { context } = stack.replica;
  const isHeld = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  // The first write of a network waits, and with it the network's queue.
  const held = Object.assign(Object.create(counts()) as ReturnType<typeof counts>, {
    insertOne: async (...args: Parameters<ReturnType<typeof counts>['insertOne']>) => {
      isHeld.resolve();
      await free.promise;
      return counts().insertOne(...args);
    },
  });
  const collection = (name: string) => (name === 'counts' ? held : context.db.collection(name));
  const db = Object.assign(Object.create(context.db) as typeof context.db, { collection });
  const limits = registrationLimits({ ...context, db });
  const proofs = new Map<string, string>();
  const enter = (uid: string) => limits.countNew(uid, { address: '203.0.113.30', proofOfWork: proofs.get(uid) });
  const first = enter('first');
  await isHeld.promise;
  const crowd = Array.from({ length: 250 }, (_, one) => `crowd${one}`);
  const results = crowd.map((uid) =>
    enter(uid).then(
      () => undefined,
      (error: unknown) => error as ProblemError,
    ),
  );
  // Those in the queue wait for the first; the others are told at once.
  const told = new Set<string>();
  for (const [one, result] of results.entries()) void result.then(() => told.add(crowd[one] ?? ''));
  await waitUntil(() => told.size >= 50);
  free.resolve();
  await first;
  const errors = (await Promise.all(results)).filter((error) => error !== undefined);
  assert.deepEqual(
    errors.filter(({ code, extras }) => code !== 'rate_limited' || extras.challenge === undefined),
    [],
  );
  assert.ok(errors.some(({ extras }) => extras.challenge?.waitSeconds === 5));
  const [uid = ''] = told;
  await assert.rejects(enter(uid), (error: ProblemError) => {
    proofs.set(uid, solve(error.extras.challenge ?? assert.fail('no challenge')));
    return true;
  });
  await enter(uid);
});
