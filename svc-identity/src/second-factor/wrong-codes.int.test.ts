import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loadSigningKey } from '../sessions/signing-key.ts';
import { openBrowser, type Browser } from '../testing/browser.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { confirmedPerson, verdict, type Person } from '../testing/people.ts';
import { currentCode, putApp, setUpApp, wrongCode } from '../testing/authenticator.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';
import { openSecondFactors } from './second-factors.ts';

// Wrong codes cost the one who types them. Requests name their network as the gateway does.

const stack = await startIdentityStack();
after(() => stack.close());
const second = await stack.addReplica();
const limited = [429, 'rate_limited'];
const cookie = 'clinic_known_device';

let networks = 0;
const newNetwork = (): string => `198.18.${(networks += 1)}.7`;

interface Owner extends Person {
  readonly secret: string;
  readonly guess: string;
  readonly right: () => Promise<string>;
}

/** @param known - in a browser that is a known device, as where an app was set up */
async function owner(email: string, known = false): Promise<Owner> {
  const person = await confirmedPerson(stack, email);
  const secret = known ? (await setUpApp(person)).secret : await putApp(stack, person);
  return { ...person, secret, guess: wrongCode(secret), right: () => currentCode(stack, email, secret) };
}

async function signIn(
  person: Person,
  code: string,
  network: string,
  browser = openBrowser(stack.url),
): Promise<Response> {
  return browser.startSession(person.email, await person.prove(), { code }, { 'X-Forwarded-For': network });
}

/** Guesses at once, on both replicas. */
async function guess(person: Owner, times: number, network: string, from?: Browser): Promise<number[]> {
  const idToken = await person.prove();
  const urls = [stack.url, second.url];
  const answers = await Promise.all(
    Array.from({ length: times }, (_, at) =>
      openBrowser(urls[at % 2] ?? stack.url, from?.cookies).startSession(
        person.email,
        idToken,
        { code: person.guess },
        { 'X-Forwarded-For': network },
      ),
    ),
  );
  return statusesOf(answers);
}
const times = (status: number, count: number): number[] => Array.from({ length: count }, () => status);

test('after five wrong codes a network gets no further, on any replica, and a wait is named', async () => {
  const ann = await owner('ann@mail.example');
  const network = newNetwork();
  assert.deepEqual(await guess(ann, 12, network), [...times(403, 5), ...times(429, 7)]);
  const rejected = await signIn(ann, await ann.right(), network);
  const wait = Number(rejected.headers.get('retry-after'));
  assert.ok(wait > 800 && wait <= 900, `Retry-After: ${wait}`);
  assert.deepEqual(await verdict(rejected), limited);
  assert.equal((await stack.user(ann.email)).secondFactor?.lastStep, 0, 'a code was used');
});

test('somebody who guesses doesn’t lock the owner out: not elsewhere, not on a known device, not in a session', async () => {
  const bea = await owner('bea@mail.example');
  const office = newNetwork();
  // The owner has signed in here before, and logged out.
  const desk = openBrowser(stack.url);
  assert.equal((await signIn(bea, await bea.right(), office, desk)).status, 200);
  assert.equal((await desk.fetch('/jwt', { method: 'DELETE' })).status, 204);
  assert.match(desk.cookies.get(cookie) ?? '', /^[\w-]{43}$/);

  for (let round = 0; round < 3; round += 1) await guess(bea, 6, office);
  assert.deepEqual(await verdict(signIn(bea, await bea.right(), office)), limited);
  assert.equal((await signIn(bea, await bea.right(), newNetwork())).status, 200);
  assert.equal((await signIn(bea, await bea.right(), office, desk)).status, 200);
  const proof = { method: 'POST', json: { code: await bea.right() } };
  assert.equal((await bea.fetch('/jwt/proof', proof)).status, 200);
});

test('guesses from many networks end too, but never for a device that has passed the second factor', async () => {
  const cleo = await owner('cleo@mail.example', true);
  const found: number[] = [];
  for (let round = 0; round < 6; round += 1) found.push(...(await guess(cleo, 5, newNetwork())));
  assert.deepEqual(
    found.toSorted((one, other) => one - other),
    [...times(403, 20), ...times(429, 10)],
  );
  assert.deepEqual(await verdict(signIn(cleo, await cleo.right(), newNetwork())), limited);
  // The browser in which the app was set up.
  const home = openBrowser(stack.url, [[cookie, cleo.cookies.get(cookie) ?? '']]);
  assert.equal((await signIn(cleo, await cleo.right(), newNetwork(), home)).status, 200);
});

test('a known device has five tries as well, and an invented, foreign or forgotten device none of its own', async () => {
  const dora = await owner('dora@mail.example', true);
  const eve = await owner('eve@mail.example', true);
  const known = openBrowser(stack.url, [[cookie, dora.cookies.get(cookie) ?? '']]);
  assert.deepEqual(await guess(dora, 7, newNetwork(), known), [...times(403, 5), ...times(429, 2)]);

  const network = newNetwork();
  assert.deepEqual(await guess(dora, 5, network), times(403, 5));
  for (const id of [eve.cookies.get(cookie) ?? '', 'a'.repeat(43), '../x'])
    assert.deepEqual(await verdict(signIn(dora, dora.guess, network, openBrowser(stack.url, [[cookie, id]]))), limited);

  // A device is known for the app it has passed, not for a later one.
  assert.equal((await eve.fetch(`/users/${eve.email}/second-factor`, { method: 'DELETE' })).status, 204);
  const old = openBrowser(stack.url, [[cookie, eve.cookies.get(cookie) ?? '']]);
  await eve.fetch('/jwt/refresh', { method: 'POST' });
  eve.cookies.delete(cookie);
  const { secret } = await setUpApp(eve);
  const later = { ...eve, secret, guess: wrongCode(secret), right: () => currentCode(stack, eve.email, secret) };
  assert.deepEqual(await guess(later, 5, network), times(403, 5));
  assert.deepEqual(await verdict(signIn(later, await later.right(), network, old)), limited);
});

test('wrong codes of one account cost no other account', async () => {
  const [fay, gil] = [await owner('fay@mail.example'), await owner('gil@mail.example')];
  const network = newNetwork();
  await guess(fay, 6, network);
  assert.equal((await signIn(gil, await gil.right(), network)).status, 200);
});

test('whoever only knows a password doesn’t use up the sign-ins of its owner, who is elsewhere', async () => {
  const hal = await owner('hal@mail.example');
  const few = await stack.addReplica({ SIGN_INS_PER_MINUTE_AND_ACCOUNT: '3' });
  const [thief, home] = [newNetwork(), newNetwork()];
  const idToken = await hal.prove();
  const attempt = (network: string, more = {}): Promise<Response> =>
    openBrowser(few.url).startSession(hal.email, idToken, more, { 'X-Forwarded-For': network });
  const answers = await Promise.all(Array.from({ length: 6 }, () => attempt(thief)));
  assert.deepEqual(statusesOf(answers), [...times(401, 3), ...times(429, 3)]);
  assert.equal((await attempt(home, { code: await hal.right() })).status, 200);
});

test('a code that an outage kept from being checked doesn’t count as wrong', async () => {
  const { countTry } = openSecondFactors(
    stack.replica.context,
    await loadSigningKey(stack.env['SESSION_KEY_FILE'] ?? '', true),
  );
  const outage = new Error('no database');
  const broken = (): Promise<void> => Promise.reject(outage);
  for (let round = 0; round < 8; round += 1)
    await assert.rejects(countTry('ivy', { network: newNetwork() }, broken), outage);
  for (let round = 0; round < 8; round += 1) await assert.rejects(countTry('ivy', 'session ivy', broken), outage);
  await countTry('ivy', 'session ivy', () => Promise.resolve());
});
