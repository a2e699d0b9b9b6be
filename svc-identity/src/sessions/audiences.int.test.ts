import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, test } from 'node:test';
import { audiencesHeader } from '@clinic/service-kit';
import { fitsCookie, longestBundle, tokenFor } from '@clinic/service-kit/session-bundle';
import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK } from 'jose';
import { ObjectId } from 'mongodb';
import type { Browser } from '../testing/browser.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { verdict } from '../testing/people.ts';
import { makeAccessToken } from './access-token.ts';

const stack = await startIdentityStack();
after(() => stack.close());

/** The session cookie that a response sets. */
function cookieOf(answer: Response): string {
  assert.equal(answer.status, 200);
  const line = answer.headers.getSetCookie().find((each) => each.startsWith('clinic_session='));
  return /^clinic_session=([^;]+)/.exec(line ?? '')?.[1] ?? assert.fail('no session cookie');
}

const refresh = (from: Browser, audiences?: string): Promise<Response> =>
  from.fetch('/jwt/refresh', {
    method: 'POST',
    ...(audiences !== undefined && { headers: { [audiencesHeader]: audiences } }),
  });

test('signs one payload for each service that the gateway names, also for one added later', async () => {
  const browser = await stack.login('ann@clinic.example');
  const { keys } = (await (await stack.anonymous('/jwt/keys')).json()) as { keys: [Record<string, string>] };
  const key = await importJWK(keys[0], 'EdDSA');
  for (const audiences of [['identity'], ['identity', 'clinic', 'pharmacy'], ['billing', 'lab-2', 'identity']]) {
    const bundle = cookieOf(await refresh(browser, audiences.join()));
    const payloads = new Set<string>();
    for (const audience of audiences) {
      const token = tokenFor(bundle, audience) ?? assert.fail(audience);
      await compactVerify(token, key);
      const { alg, kid, typ, ...rest } = decodeProtectedHeader(token);
      assert.deepEqual([alg, kid, typ, rest], ['EdDSA', keys[0]['kid'], 'session+jwt', { aud: audience }]);
      payloads.add(token.split('.')[1] ?? '');
      const { aud, iss, email } = decodeJwt(token);
      assert.deepEqual([aud, iss, email], ['clinic', 'clinic-identity', 'ann@clinic.example']);
    }
    assert.equal(payloads.size, 1);
    for (const other of ['identity', 'clinic', 'pharmacy', 'billing'].filter((each) => !audiences.includes(each)))
      assert.equal(tokenFor(bundle, other), undefined);
    assert.equal((await browser.fetch('/jwt/session')).status, 200);
  }
});

test('behind a gateway of the previous release, which names none, makes a single token for all services', async () => {
  const answer = await stack.anonymous('/jwt', {
    method: 'POST',
    json: { email: 'old@clinic.example' },
    headers: { Authorization: `Bearer ${await stack.signUp('old@clinic.example')}` },
  });
  const token = cookieOf(answer);
  assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.deepEqual(Object.keys(decodeProtectedHeader(token)), ['alg', 'kid', 'typ']);
  const session = await stack.anonymous('/jwt/session', { headers: { Cookie: `clinic_session=${token}` } });
  assert.equal(session.status, 200);
});

test('rejects invalid names before anything happens', async () => {
  const browser = await stack.login('bad@clinic.example');
  const { _id: userId } = await stack.user('bad@clinic.example');
  const sessions = async (): Promise<string> => JSON.stringify(await stack.sessions.find({ userId }).toArray());
  const before = await sessions();
  const idToken = await stack.signInWithPassword('bad@clinic.example');
  const many = Array.from({ length: 40 }, (_, at) => `domain-${at}`).join();
  for (const names of ['clinic,', 'a b', 'clinic,clinic', 'x~y', many]) {
    for (const answer of [
      await refresh(browser, names),
      await browser.startSession('bad@clinic.example', idToken, {}, { [audiencesHeader]: names }),
      await browser.fetch('/jwt/proof', { method: 'POST', json: { idToken }, headers: { [audiencesHeader]: names } }),
    ]) {
      assert.deepEqual(await verdict(answer), [400, 'malformed_request'], names);
      assert.deepEqual(answer.headers.getSetCookie(), []);
    }
  }
  assert.equal(await sessions(), before);
  cookieOf(await refresh(browser));
});

test('no user’s cookie is longer than the gateway expects at its start', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = { privateKey, kid: 'k'.repeat(43), publicJwk: {} };
  for (const count of [1, 3, 10, 25]) {
    const audiences = Array.from({ length: count }, (_, at) => `domain-${at}`);
    assert.ok(fitsCookie(audiences));
    const { token } = await makeAccessToken(
      key,
      {
        user: {
          _id: new ObjectId(),
          email: `${'m'.repeat(242)}@mail.example`,
          emailVerified: false,
          version: Number.MAX_SAFE_INTEGER,
        },
        role: 'pharmacist',
        sessionId: new ObjectId().toHexString(),
        provenAt: new Date(),
        audiences,
      },
      600,
    );
    assert.ok(token.length <= longestBundle(audiences), `${token.length} > ${longestBundle(audiences)}`);
    // Nor so much shorter that services are rejected needlessly.
    assert.ok(token.length > longestBundle(audiences) - 150, `${token.length} < ${longestBundle(audiences)} - 150`);
  }
});
