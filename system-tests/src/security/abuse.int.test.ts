import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Medicine, Order, Problem } from '@clinic/contracts';
import { leadingZeroBits, proofText, type ProofChallenge } from '@clinic/contracts/proof-of-work';
import { demoPassword } from '@clinic/demo-data';
import { bystanders, people } from '../support/three-services.ts';
import { startWholeClinic, type OpenDoor, type WholeClinic } from '../support/whole-clinic.ts';

// Attacks from one address that try to lock others out. The attacker gets only so much, and others can use the clinic meanwhile.

/** Sign-ins and registrations allowed per address in this test. */
const signIns = 60;
/** The sign-in emulator's own limits. */
const triesPerAddress = 300;
const wrongPasswords = 10;
const openOrders = 10;
/** New accounts from one network without proof of work or waiting. */
const freeAccounts = 5;

let clinic: WholeClinic;
let door: OpenDoor;
let shelf: readonly Medicine[];
let other: { readonly email: string; readonly cookie: string };
before(async () => {
  clinic = await startWholeClinic({
    env: {
      SIGN_INS_PER_MINUTE_AND_ADDRESS: String(signIns),
      PHARMACY_MAX_OPEN_ORDERS: String(openOrders),
      REGISTRATIONS_PER_HOUR_AND_NETWORK: String(freeAccounts),
    },
  });
  // Behind a proxy that sets the visitor's address.
  door = await clinic.openGateway({ TRUST_PROXY: 'true' });
  shelf = ((await (await fetch(`${door.url}/medicine`)).json()) as Medicine[]).filter(
    ({ status, medicine: { expiryDate, quantity } }) =>
      status === 'in stock' && expiryDate > '2027-06' && Number(quantity.$numberInt) >= 50,
  );
  assert.ok(shelf.length >= 2);
  const { email } = people.patient;
  other = { email, cookie: await clinic.services.signIn(email) };
});
after(async () => {
  await door.close();
  await clinic.close();
});

interface Sent {
  readonly proof?: string;
  readonly method?: string;
  readonly json?: unknown;
  readonly cookie?: string;
  readonly bearer?: string;
}

async function send(address: string, path: string, { method = 'GET', json, cookie, bearer, proof }: Sent = {}) {
  const answer = await fetch(door.url + path, {
    method,
    ...(json !== undefined && { body: JSON.stringify(json) }),
    headers: {
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': address,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(cookie !== undefined && { cookie }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(proof !== undefined && { 'proof-of-work': proof }),
    },
  });
  const text = await answer.text();
  const cookies = answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  return {
    status: answer.status,
    cookies,
    wait: Number(answer.headers.get('retry-after') ?? NaN),
    json: <T>() => JSON.parse(text) as T,
  };
}

const firebase = (address: string, call: string, json: object, cookie?: string) =>
  send(address, `/identitytoolkit.googleapis.com/v1/accounts:${call}?key=demo-key`, {
    method: 'POST',
    json: { returnSecureToken: true, ...json },
    ...(cookie !== undefined && { cookie }),
  });

function countByStatus(answers: readonly { readonly status: number }[]): Record<number, number> {
  return Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  );
}

/** Solves a proof-of-work challenge. */
function solve({ salt, bits }: ProofChallenge): string {
  for (let number = 0; ; number += 1) {
    const text = proofText(salt, number);
    if (leadingZeroBits(createHash('sha256').update(text).digest()) >= bits) return text;
  }
}

/** Every rejection says when to retry. */
function assertWaits(answers: readonly { readonly status: number; readonly wait: number }[], status: number): void {
  for (const { wait } of answers.filter((answer) => answer.status === status))
    assert.ok(wait >= 1 && wait <= 60, `Retry-After ${wait}`);
}

/** Another visitor's normal use, once: every answer is as usual. */
async function otherDay(): Promise<void> {
  const home = '198.51.100.7';
  const { cookie, email } = other;
  assert.equal((await send(home, '/')).status, 200);
  assert.equal((await send(home, '/doctors')).status, 200);
  assert.equal((await send(home, '/jwt/session', { cookie })).status, 200);
  assert.equal((await send(home, `/appoinments?email=${email}&limit=20`, { cookie })).status, 200);
  const items = [{ medicineId: shelf[1]?.medicine.medicineId, quantity: 1 }];
  const made = await send(home, '/orderMedi', {
    method: 'POST',
    cookie,
    json: { items, deliveryAddress: '1 Quiet Road', customeremail: email, customerPhone: '+880 1555 010400' },
  });
  assert.equal(made.status, 201);
  assert.equal(
    (
      await send(home, `/orderMedi/${made.json<Order>()._id}`, {
        method: 'PATCH',
        cookie,
        json: { newStatus: 'Cancelled' },
      })
    ).status,
    200,
  );
}

/** Runs an attack while another visitor uses the clinic normally, at least once. */
async function meanwhile<T>(harm: Promise<T>): Promise<T> {
  let isOver = false;
  const done = harm.finally(() => (isOver = true));
  // Reported by the returned promise; the visitor's failures say more.
  done.catch(() => undefined);
  do await otherDay();
  while (!isOver);
  return done;
}

/** A connection that sends raw bytes. */
class Line {
  readonly socket: Socket;
  received = '';
  readonly ended: Promise<unknown>;

  constructor() {
    const { hostname, port } = new URL(door.url);
    this.socket = connect(Number(port), hostname);
    this.socket
      .setEncoding('latin1')
      .on('data', (text: string) => (this.received += text))
      .on('error', () => undefined);
    this.ended = once(this.socket, 'close');
  }

  /** Status of the response so far. */
  get status(): number {
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.received)?.[1] ?? 0);
  }
}

const head = (address: string, target: string, more = ''): string =>
  `${target} HTTP/1.1\r\nHost: clinic.example\r\nSec-Fetch-Site: same-origin\r\nX-Forwarded-For: ${address}\r\n${more}`;

/** Sends a little to each connection again and again. @returns a function that stops it */
function drip(lines: readonly Line[], text: string): () => void {
  const timer = setInterval(() => lines.forEach(({ socket }) => socket.writable && socket.write(text)), 200);
  return () => clearInterval(timer);
}

async function until(what: () => boolean): Promise<void> {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('requests that never end', () => {
  test('three hundred unfinished heads are cut off after ten seconds', { timeout: 120_000 }, async () => {
    const lines = Array.from({ length: 300 }, () => new Line());
    for (const { socket } of lines) socket.write(head('203.0.113.10', 'GET /appoinments'));
    const stop = drip(lines, 'X-Slow: yes\r\n');
    await meanwhile(Promise.all(lines.map(({ ended }) => ended)));
    stop();
    assert.deepEqual(countByStatus(lines), { 408: 300 });
    for (const { received } of lines) assert.match(received, /"code":"request_timeout"/);
  });

  test(
    'eight hundred bodies get no more than their share, and leave others theirs',
    { timeout: 120_000 },
    async (t) => {
      const lines = Array.from({ length: 800 }, () => new Line());
      t.after(() => lines.forEach(({ socket }) => socket.destroy()));
      const length = 100_000;
      for (const { socket } of lines)
        socket.write(
          head(
            '203.0.113.11',
            'POST /orderMedi',
            `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`,
          ),
        );
      const stop = drip(lines, ' ');
      t.after(stop);
      // 64 MiB in total; anything beyond that gets 503.
      const kept = Math.floor((64 * 1024 * 1024) / length);
      await until(() => lines.filter(({ status }) => status === 503).length === 800 - kept);
      await meanwhile(Promise.resolve());
      assert.deepEqual(countByStatus(lines), { 0: kept, 503: 800 - kept });
      const one = () =>
        send('203.0.113.11', '/orderMedi', {
          method: 'POST',
          json: { items: [], deliveryAddress: 'x'.repeat(20_000) },
        });
      assert.equal((await one()).status, 503);
      stop();
      for (const { socket } of lines) socket.destroy();
      await Promise.all(lines.map(({ ended }) => ended));
      // Once they are gone, everything works as before, for them too.
      let again = 503;
      while (again === 503) again = (await one()).status;
      assert.equal(again, 401);
    },
  );

  test('endless uploads, or ones of ten gigabytes, are rejected unread', { timeout: 120_000 }, async () => {
    const lines = Array.from({ length: 40 }, () => new Line());
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const stop = drip(lines, chunk);
    for (const [index, { socket }] of lines.entries()) {
      const path = ['/orderMedi', '/appoinments', '/users', '/identitytoolkit.googleapis.com/v1/accounts:signUp'][
        index % 4
      ];
      socket.write(
        head('203.0.113.12', `POST ${path}`, 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n') +
          chunk,
      );
    }
    const promised = Array.from({ length: 40 }, () => new Line());
    for (const { socket } of promised)
      socket.write(
        head(
          '203.0.113.12',
          'POST /appoinments',
          'Content-Type: application/json\r\nContent-Length: 10737418240\r\n\r\n{"patientname":"',
        ),
      );
    await meanwhile(Promise.all([...lines, ...promised].map(({ ended }) => ended)));
    stop();
    assert.deepEqual(countByStatus(promised), { 413: 40 });
    // The emulator's own path answers in plain text, as its SDK expects; the status is the same.
    assert.deepEqual(countByStatus(lines.filter((_, index) => index % 4 !== 3)), { 413: 30 });
    for (const line of lines) assert.ok(line.status >= 400, line.received.slice(0, 200));
  });
});

describe('floods', () => {
  test('of registrations hit a limit, first at the sign-in, then here', { timeout: 120_000 }, async () => {
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
    const registered = await meanwhile(
      Promise.all(
        accounts.map(({ email, idToken }) =>
          send(address, '/users', {
            method: 'POST',
            bearer: idToken,
            json: { email, firstName: 'Flo', lastName: 'Od', phone: '+880 1555 010999', dateOfBirth: '1990-01-01' },
          }),
        ),
      ),
    );
    assert.deepEqual(countByStatus(registered), { 200: freeAccounts, 429: 80 - freeAccounts });
    assertWaits(registered, 429);
    const problems = registered.filter(({ status }) => status === 429).map(({ json }) => json<Problem>());
    for (const { code } of problems) assert.equal(code, 'rate_limited');
    // Those over the limit per minute get no challenge; the others do.
    assert.equal(problems.filter(({ challenge }) => challenge === undefined).length, 80 - signIns);
    assert.equal(
      await clinic.services.databases.identity.collection('users').countDocuments({ email: /^flood/ }),
      freeAccounts,
    );
    // Somebody new, from elsewhere.
    const { idToken } = (
      await firebase('198.51.100.8', 'signUp', { email: 'ann.new@mail.example', password: demoPassword })
    ).json<{ idToken: string }>();
    const ann = {
      email: 'ann.new@mail.example',
      firstName: 'Ann',
      lastName: 'New',
      phone: '+880 1555 010998',
      dateOfBirth: '1990-01-01',
    };
    assert.equal((await send('198.51.100.8', '/users', { method: 'POST', bearer: idToken, json: ann })).status, 200);
  });

  test(
    'of throw-away accounts from one address get no further by proof of work than by patience',
    { timeout: 120_000 },
    async () => {
      const address = '203.0.113.24';
      const made: string[] = [];
      const refused: number[] = [];
      const started = performance.now();
      // Nine accounts as fast as the proof of work allows, as in an attack that filled every doctor's day.
      for (let one = 0; one < 9; one += 1) {
        const email = `throwaway${one}@mail.example`;
        const { idToken } = (await firebase(address, 'signUp', { email, password: demoPassword })).json<{
          idToken: string;
        }>();
        const ask = (proof?: string) =>
          send(address, '/users', {
            method: 'POST',
            bearer: idToken,
            json: { email, firstName: 'Flo', lastName: 'Od', phone: '+880 1555 010999', dateOfBirth: '1990-01-01' },
            ...(proof !== undefined && { proof }),
          });
        const first = await ask();
        const { challenge } = first.json<Problem>();
        const answer = challenge ? await ask(solve(challenge)) : first;
        if (answer.status === 200) made.push(email);
        else refused.push(answer.json<Problem>().challenge?.waitSeconds ?? 0);
      }
      // Five free, one for proof of work; the next has to wait 15 s, and each one after it longer.
      const waited = Math.floor((performance.now() - started) / 15_000);
      assert.ok(made.length >= freeAccounts + 1 && made.length <= freeAccounts + 1 + waited, `${made.length} accounts`);
      assert.ok(
        refused.every((seconds) => seconds > 0),
        String(refused),
      );
      assert.equal(
        await clinic.services.databases.identity.collection('users').countDocuments({ email: /^throwaway/ }),
        made.length,
      );
    },
  );

  test(
    'of passwords are cut off after a few, and don’t affect the owner of the account',
    { timeout: 120_000 },
    async () => {
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
      assert.equal(
        (
          await send('198.51.100.9', '/jwt', {
            method: 'POST',
            json: { email },
            bearer: proof.json<{ idToken: string }>().idToken,
          })
        ).status,
        200,
      );
    },
  );

  test(
    'of passwords from everywhere don’t lock out the owner where they have signed in before',
    { timeout: 120_000 },
    async () => {
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
      // The guesser waits in any case: with the right password from an unknown device, another account's cookie, or a forged one.
      const theirs = (
        await firebase('203.0.113.120', 'signInWithPassword', { email: people.patient.email, password: demoPassword })
      ).cookies;
      const [name = ''] = usual.cookies.split('=');
      for (const cookie of [undefined, theirs, `${name}=${theirs.split('=')[1]}`, `${usual.cookies}x`])
        assert.equal((await signIn('203.0.113.120', demoPassword, cookie)).status, 429);
      // The owner doesn't: from another network than last time, repeatedly.
      for (const address of ['198.51.100.31', '203.0.113.100', '198.51.100.32']) {
        const proof = await signIn(address, demoPassword, usual.cookies);
        assert.equal(proof.status, 200);
        assert.equal(
          (
            await send(address, '/jwt', {
              method: 'POST',
              json: { email },
              bearer: proof.json<{ idToken: string }>().idToken,
            })
          ).status,
          200,
        );
      }
      // A stolen device gets no more guesses than a network.
      const stolen = await Promise.all(
        Array.from({ length: 30 }, (_, one) => signIn(`203.0.113.${130 + one}`, `Guess-${one}`, usual.cookies)),
      );
      assert.deepEqual(countByStatus(stolen), { 400: wrongPasswords, 429: 30 - wrongPasswords });
    },
  );

  test('of invalid proofs hit a limit, too', { timeout: 120_000 }, async () => {
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

  test(
    'of orders get no more than one customer may have open, and take no more stock',
    { timeout: 120_000 },
    async () => {
      const [email = ''] = bystanders;
      const cookie = await clinic.services.signIn(email);
      const medicineId = shelf[0]?.medicine.medicineId ?? '';
      const left = async (): Promise<number> =>
        Number(
          (await clinic.services.databases.pharmacy.collection('medicines').findOne({ medicineId }))?.['quantity'],
        );
      const stock = await left();
      const open = (): Promise<number> =>
        clinic.services.databases.pharmacy
          .collection('orders')
          .countDocuments({ customerEmail: email, status: 'pending' });
      const before = await open();
      const order = (quantity: number) =>
        send('203.0.113.23', '/orderMedi', {
          method: 'POST',
          cookie,
          json: {
            items: [{ medicineId, quantity }],
            deliveryAddress: '1 Flood Road',
            customeremail: email,
            customerPhone: '+880 1555 010997',
          },
        });
      const answers = await meanwhile(Promise.all(Array.from({ length: 300 }, () => order(1))));
      const { 201: made = 0, 409: refused = 0, 429: tooMany = 0, 503: busy = 0, ...otherwise } = countByStatus(answers);
      assert.deepEqual(otherwise, {});
      assert.equal(made + refused + tooMany + busy, 300);
      for (const { json } of answers.filter(({ status }) => status === 409))
        assert.equal(json<Problem>().code, 'too_many_orders');
      assertWaits(answers, 503);
      assertWaits(answers, 429);
      assert.equal(made, openOrders - before);
      assert.equal(await open(), openOrders);
      assert.equal(await left(), stock - made);
      // A quantity larger than any stock, and more lines than any form sends.
      assert.equal((await order(1_000_000)).status, 400);
      const endless = Array.from({ length: 101 }, () => ({ medicineId, quantity: 1 }));
      assert.equal(
        (
          await send('203.0.113.23', '/orderMedi', {
            method: 'POST',
            cookie,
            json: {
              items: endless,
              deliveryAddress: '1 Flood Road',
              customeremail: email,
              customerPhone: '+880 1555 010997',
            },
          })
        ).status,
        400,
      );
    },
  );
});
