import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { after, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify, SignJWT } from 'jose';
import { tokenFor } from './session-bundle.ts';
import { cookieNames, sessionToken } from './session-claims.ts';
import { startTestService, testFetch, type TokenPerson } from '../testing/index.ts';
import { shopService } from '../testing/shop-service.ts';
import { waitUntil } from '../testing/wait-until.ts';

const admin: TokenPerson = { role: 'admin', email: 'admin@clinic.example' };
const people = '/orderMedi';
const service = await startTestService(shopService);
after(() => service.close());

const withToken = async (token: string): Promise<[number, string]> => {
  const answer = await testFetch(service.url, { Cookie: `${cookieNames.access}=${token}` })(people);
  const body = (await answer.json()) as { code?: string };
  return [answer.status, body.code ?? 'fine'];
};
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = (): Record<string, unknown> => {
  const now = Math.floor(Date.now() / 1_000);
  return {
    sub: 'a',
    email: 'admin@clinic.example',
    role: 'admin',
    ver: 1,
    sid: 's',
    iss: sessionToken.issuer,
    aud: sessionToken.audience,
    iat: now,
    exp: now + 300,
  };
};

const part = (bundle: string, audience: string): string => tokenFor(bundle, audience) ?? assert.fail(audience);

test('accepts a valid token, repeatedly', async () => {
  const bundle = await service.issuer.token(admin);
  for (const token of [part(bundle, shopService.name), bundle]) {
    assert.deepEqual(await withToken(token), [200, 'fine']);
    assert.deepEqual(await withToken(token), [200, 'fine']);
  }
});

test('rejects tokens with a single wrong claim', async () => {
  for (const changes of [{ issuer: 'someone' }, { audience: 'other' }, { type: 'JWT' }, { endsIn: -10 }]) {
    assert.deepEqual(
      await withToken(await service.issuer.token(admin, changes)),
      [401, 'unauthenticated'],
      JSON.stringify(changes),
    );
  }
});

test('rejects a token for another service, alone or as part of a bundle', async () => {
  for (const audiences of [['clinic'], ['clinic', 'identity', 'pharmacies']]) {
    const bundle = await service.issuer.token(admin, { audiences });
    assert.deepEqual(await withToken(bundle), [401, 'unauthenticated']);
    for (const audience of audiences)
      assert.deepEqual(await withToken(part(bundle, audience)), [401, 'unauthenticated'], audience);
    // Renaming the service in the bundle doesn't help: its name is signed.
    assert.deepEqual(await withToken(bundle.replace('~clinic.', `~${shopService.name}.`)), [401, 'unauthenticated']);
  }
});

test('accepts a token without an audience of the previous release, and logs it once', async () => {
  const warnings = (): number => service.log.filter((line) => line.includes('session without an audience')).length;
  assert.equal(warnings(), 0);
  for (const email of ['ann@clinic.example', 'bob@clinic.example']) {
    const old = await service.issuer.token({ role: 'admin', email }, { audiences: [] });
    assert.match(old, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.deepEqual(await withToken(old), [200, 'fine']);
  }
  assert.equal(warnings(), 1);
});

test('the previous release’s services accept the token for one service', async () => {
  const token = part(await service.issuer.token(admin), shopService.name);
  // Verify it as those services do.
  const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL('/jwt/keys', service.issuer.url)), {
    algorithms: ['EdDSA'],
    issuer: 'clinic-identity',
    audience: 'clinic',
    typ: 'session+jwt',
    requiredClaims: ['exp', 'iat'],
    maxTokenAge: 600,
    clockTolerance: 5,
  });
  assert.equal(payload['email'], admin.email);
});

test('rejects forged tokens', async () => {
  const header = { kid: 'test', typ: sessionToken.type };
  const unsigned = `${encode({ ...header, alg: 'none' })}.${encode(claims())}.`;
  const { keys } = (await (await fetch(`${service.issuer.url}/jwt/keys`)).json()) as { keys: [{ x: string }] };
  const signedText = `${encode({ ...header, alg: 'HS256' })}.${encode(claims())}`;
  const withPublicKey = `${signedText}.${createHmac('sha256', Buffer.from(keys[0].x, 'base64url')).update(signedText).digest('base64url')}`;
  const other = generateKeyPairSync('ed25519').privateKey;
  const otherKey = await new SignJWT(claims()).setProtectedHeader({ ...header, alg: 'EdDSA' }).sign(other);
  const unknownKid = await new SignJWT(claims())
    .setProtectedHeader({ ...header, kid: 'mine', alg: 'EdDSA' })
    .sign(other);
  const good = part(await service.issuer.token(admin), shopService.name);
  const [head, body, signature] = good.split('.') as [string, string, string];
  const changed = `${head}.${encode({ ...(JSON.parse(Buffer.from(body, 'base64url').toString()) as object), email: 'else@clinic.example' })}.${signature}`;
  for (const token of [unsigned, withPublicKey, otherKey, unknownKid, changed, 'a.b.c', 'x', good.slice(0, -6)]) {
    assert.deepEqual(await withToken(token), [401, 'unauthenticated']);
  }
});

test('rejects a token of an older version as soon as the update arrives, and accepts the newer one', async () => {
  const ann: TokenPerson = { role: 'admin', email: 'ann@clinic.example' };
  const old = await service.issuer.token(ann, { version: 1 });
  assert.deepEqual(await withToken(old), [200, 'fine']);
  service.issuer.tell({ sub: service.issuer.idOf(ann.email), ver: 2 });
  await waitUntil(async () => assert.equal((await withToken(old))[1], 'session_stale'));
  assert.deepEqual(await withToken(await service.issuer.token(ann, { version: 2 })), [200, 'fine']);
  assert.deepEqual(await withToken(await service.issuer.token(admin)), [200, 'fine']);
});

test('rejects the token of a session that ended', async () => {
  const token = await service.issuer.token(admin, { sessionId: 'over' });
  assert.deepEqual(await withToken(token), [200, 'fine']);
  service.issuer.tell({ sid: 'over' });
  await waitUntil(async () => assert.equal((await withToken(token))[0], 401));
});

test(
  'without the feed, rejects protected calls, serves public ones, and recovers automatically',
  { timeout: 120_000 },
  async () => {
    const token = await service.issuer.token(admin);
    service.issuer.breakFeed();
    // A short interruption doesn't matter.
    assert.equal((await withToken(token))[0], 200);
    await waitUntil(async () => assert.equal((await withToken(token))[0], 503));
    const refused = await testFetch(service.url, { Cookie: `${cookieNames.access}=${token}` })(people);
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await service.anonymous('/medicine')).status, 200);
    assert.deepEqual(await withToken('forged'), [401, 'unauthenticated']);
    const ready = (await (await service.anonymous('/health/ready')).json()) as {
      ready: boolean;
      checks: { sessions: string };
    };
    assert.equal(ready.ready, true);
    assert.match(ready.checks.sessions, /^lost \d+ s ago$/);

    // A change made while disconnected must be applied before anyone gets access again.
    service.issuer.tell({ sub: service.issuer.idOf('ann@clinic.example'), ver: 9 });
    service.issuer.restoreFeed();
    await waitUntil(async () => assert.equal((await withToken(token))[0], 200));
    assert.deepEqual(
      await withToken(await service.issuer.token({ role: 'admin', email: 'ann@clinic.example' }, { version: 8 })),
      [401, 'session_stale'],
    );
  },
);
