import { generateKeyPairSync } from 'node:crypto';
import { sessionToken } from '@clinic/service-kit';
import { tokenFor } from '@clinic/service-kit/session-bundle';
import { jwtVerify } from 'jose';
import { ObjectId } from 'mongodb';
import { makeAccessToken, type AccessGrant } from '../../../svc-identity/src/sessions/access-token.ts';
import type { Row } from '../support/results.ts';
import { median } from '../support/rounds.ts';

const services = ['identity', 'clinic', 'pharmacy'];

/**
 * What session tokens cost: a cookie at each sign-in and every five minutes, and a verification per service and minute.
 */
export async function sessionRows(effort: number): Promise<Row[]> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = { privateKey, kid: 'k'.repeat(43), publicJwk: {} };
  const grant: AccessGrant = {
    user: { _id: new ObjectId(), email: 'rafiq.islam@mail.example', emailVerified: true, version: 1 },
    role: 'patient',
    sessionId: new ObjectId().toHexString(),
    provenAt: new Date(),
  };
  const sign = (audiences: readonly string[]) => makeAccessToken(key, { ...grant, audiences }, 300);
  const { token: bundle } = await sign(services);
  const token = tokenFor(bundle, 'clinic') ?? '';
  const { algorithm, issuer, audience, type: typ } = sessionToken;
  const verify = () => jwtVerify(token, publicKey, { algorithms: [algorithm], issuer, audience, typ });
  const micro = async (work: () => Promise<unknown>) => ({ value: await cpuTime(work, effort), unit: 'µs' });
  return [
    {
      what: 'signing a session for three services, compared with one token',
      ours: await micro(() => sign(services)),
      peer: await micro(() => sign([])),
      note: `the cookie has ${bundle.length} bytes`,
    },
    { what: 'verifying one token', ours: await micro(verify) },
  ];
}

/** Median processor time of a piece of work, microseconds. */
async function cpuTime(work: () => Promise<unknown>, effort: number): Promise<number> {
  const times = Math.max(100, Math.round(1000 * effort));
  const rounds: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const before = process.cpuUsage();
    for (let at = 0; at < times; at += 1) await work();
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / times);
  }
  // The first round is a warm-up.
  return median(rounds.slice(1));
}
