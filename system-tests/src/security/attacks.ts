import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { leadingZeroBits, proofText, type ProofChallenge } from '@clinic/contracts/proof-of-work';
import { people } from '../support/three-services.ts';
import { startWholeClinic, type RunningGateway, type WholeClinic } from '../support/whole-clinic.ts';
import { keepsLong } from '../support/orderable.ts';

// Attacks from one address that try to lock others out: the attacker is limited, and others can use the clinic
// meanwhile.

/** Sign-ins and registrations allowed per address in this test. */
export const signIns = 60;
/** The sign-in emulator's own limits. */
export const triesPerAddress = 300;
export const wrongPasswords = 10;
export const openOrders = 10;
/** New accounts from one network without proof of work or waiting. */
export const freeAccounts = 5;

export let clinic: WholeClinic;
let gateway: RunningGateway;
export let stocked: readonly Medicine[];
let other: { readonly email: string; readonly cookie: string };

/** Starts the clinic before the tests of a file, and stops it after the last. */
export function startForTests(): void {
  before(async () => {
    clinic = await startWholeClinic({
      env: {
        SIGN_INS_PER_MINUTE_AND_ADDRESS: String(signIns),
        PHARMACY_MAX_OPEN_ORDERS: String(openOrders),
        REGISTRATIONS_PER_HOUR_AND_NETWORK: String(freeAccounts),
      },
    });
    // Behind a proxy that sets the visitor's address.
    gateway = await clinic.openGateway({ TRUST_PROXY: 'true' });
    stocked = ((await (await fetch(`${gateway.url}/medicine`)).json()) as Medicine[]).filter(
      ({ status, medicine: { expiryDate, quantity, prescriptionOnly } }) =>
        !prescriptionOnly && status === 'in stock' && keepsLong(expiryDate) && Number(quantity.$numberInt) >= 50,
    );
    assert.ok(stocked.length >= 2);
    const { email } = people.patient;
    other = { email, cookie: await clinic.services.signIn(email) };
  });
  after(async () => {
    await gateway.close();
    await clinic.close();
  });
}

interface Sent {
  /** `Idempotency-Key` */
  readonly key?: string;
  readonly proof?: string;
  readonly method?: string;
  readonly json?: unknown;
  readonly cookie?: string;
  readonly bearer?: string;
}

export async function send(
  address: string,
  path: string,
  { method = 'GET', json, cookie, bearer, proof, key }: Sent = {},
) {
  const answer = await fetch(gateway.url + path, {
    method,
    ...(json !== undefined && { body: JSON.stringify(json) }),
    headers: {
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': address,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(cookie !== undefined && { cookie }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(proof !== undefined && { 'proof-of-work': proof }),
      ...(key !== undefined && { 'idempotency-key': key }),
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

export const firebase = (address: string, call: string, json: object, cookie?: string) =>
  send(address, `/identitytoolkit.googleapis.com/v1/accounts:${call}?key=demo-key`, {
    method: 'POST',
    json: { returnSecureToken: true, ...json },
    ...(cookie !== undefined && { cookie }),
  });

export function countByStatus(answers: readonly { readonly status: number }[]): Record<number, number> {
  return Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  );
}

/** Solves a proof-of-work challenge. The clinic is in the same process, and answers others meanwhile. */
export async function solve({ salt, bits }: ProofChallenge): Promise<string> {
  for (let number = 0; ; number += 1) {
    if (number % 1_000 === 0) await setImmediate();
    const text = proofText(salt, number);
    if (leadingZeroBits(createHash('sha256').update(text).digest()) >= bits) return text;
  }
}

/** Every rejection says when to retry. */
export function assertWaits(
  answers: readonly { readonly status: number; readonly wait: number }[],
  status: number,
): void {
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
  const items = [{ medicineId: stocked[1]?.medicine.medicineId, quantity: 1 }];
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

/** Between two days of the other visitor, in milliseconds: without pause they alone would keep a processor busy. */
const pauseMs = 250;

/** Runs an attack while another visitor uses the clinic normally, at least once. */
export async function meanwhile<T>(harm: Promise<T>): Promise<T> {
  let isOver = false;
  const done = harm.finally(() => (isOver = true));
  // Reported by the returned promise; the visitor's failures have more detail.
  done.catch(() => undefined);
  do {
    await otherDay();
    await Promise.race([done, setTimeout(pauseMs)]);
  } while (!isOver);
  return done;
}

/** A connection that sends raw bytes. */
export class Line {
  readonly socket: Socket;
  received = '';
  readonly ended: Promise<unknown>;

  constructor() {
    const { hostname, port } = new URL(gateway.url);
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

export const head = (address: string, target: string, more = ''): string =>
  `${target} HTTP/1.1\r\nHost: clinic.example\r\nSec-Fetch-Site: same-origin\r\nX-Forwarded-For: ${address}\r\n${more}`;

/** Sends a little to each connection again and again. @returns a function that stops it */
export function drip(lines: readonly Line[], text: string): () => void {
  const timer = setInterval(() => lines.forEach(({ socket }) => socket.writable && socket.write(text)), 200);
  return () => clearInterval(timer);
}
