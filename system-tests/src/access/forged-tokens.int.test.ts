import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { after, before, test } from 'node:test';
import { SignJWT, type JWTPayload } from 'jose';
import type { ServiceName } from '@clinic/contracts';
import { cookieNames, sessionToken } from '@clinic/service-kit';
import { usersOf } from '../../../svc-identity/src/users/user-record.ts';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';

/** A call of each service that only some may make. */
const doors: readonly (readonly [ServiceName, string])[] = [
  ['identity', '/users?limit=1'],
  ['clinic', '/appoinments?limit=1'],
  ['pharmacy', '/orderMedi?limit=1'],
];

let services: ThreeServices;
/** Claims of a valid token of the admin. */
let claims: Record<string, unknown>;
before(async () => {
  services = await startThreeServices();
  const admin =
    (await usersOf({ db: services.databases.identity }).findOne({ email: people.admin.email })) ??
    assert.fail('no admin');
  const now = Math.floor(Date.now() / 1_000);
  const { issuer, audience } = sessionToken;
  claims = {
    sub: admin._id.toHexString(),
    email: admin.email,
    role: 'admin',
    ver: admin.version,
    sid: 'forged',
    conf: true,
    prf: now,
    iss: issuer,
    aud: audience,
    iat: now,
    exp: now + 300,
  };
});
after(() => services.close());

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = (): { alg: string; kid: string; typ: string } => ({
  alg: sessionToken.algorithm,
  kid: services.key.kid,
  typ: sessionToken.type,
});

function sign(
  changes: JWTPayload & Record<string, unknown> = {},
  heading: object = {},
  key: KeyObject = services.key.privateKey,
): Promise<string> {
  return new SignJWT({ ...claims, ...changes }).setProtectedHeader({ ...header(), ...heading }).sign(key);
}

/** Statuses of the three services' answers to a token. */
async function statuses(token: string): Promise<number[]> {
  const answers = await Promise.all(
    doors.map(([service, path]) => services.from(`${cookieNames.access}=${token}`)(service)(path)),
  );
  return answers.map(({ status }) => status);
}

const foreignKey = generateKeyPairSync('ed25519').privateKey;
const forgeries: Readonly<Record<string, () => string | Promise<string>>> = {
  'unsigned (alg none)': () => `${encode({ ...header(), alg: 'none' })}.${encode(claims)}.`,
  'signed with the public key as a password (HS256)': () => {
    const text = `${encode({ ...header(), alg: 'HS256' })}.${encode(claims)}`;
    return `${text}.${createHmac('sha256', Buffer.from(services.key.publicJwk.x ?? '', 'base64url'))
      .update(text)
      .digest('base64url')}`;
  },
  'signed with the published key as JSON (HS256)': () => {
    const text = `${encode({ ...header(), alg: 'HS256' })}.${encode(claims)}`;
    return `${text}.${createHmac('sha256', JSON.stringify(services.key.publicJwk)).update(text).digest('base64url')}`;
  },
  'of another environment, under our key’s name': () => sign({}, {}, foreignKey),
  'of another environment, under its own key’s name': () => sign({}, { kid: 'staging' }, foreignKey),
  'that brings its own key': () =>
    sign({}, { jwk: generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }) }, foreignKey),
  'that names an address for its key': () => sign({}, { jku: 'https://evil.example/keys', kid: 'evil' }, foreignKey),
  'of another issuer': () => sign({ iss: 'clinic-staging' }),
  'for somebody else': () => sign({ aud: 'billing' }),
  'of another type': () => sign({}, { typ: 'JWT' }),
  'that has expired': () => sign({ iat: Number(claims['iat']) - 400, exp: Number(claims['iat']) - 100 }),
  'that would live for a year': () =>
    sign({ iat: Number(claims['iat']) - 3_600, exp: Number(claims['exp']) + 31_536_000 }),
  'from the future': () => sign({ nbf: Number(claims['exp']) }),
  'without an end': () => sign({ exp: undefined }),
  'of an older version of the rights': async () => sign({ ver: (await raisedVersion()) - 1 }),
  'with a role that there isn’t': () => sign({ role: 'owner' }),
  'of which one letter was changed': async () => {
    const [head = '', body = '', signature = ''] = (await sign({ role: 'patient' })).split('.');
    return `${head}.${Buffer.from(Buffer.from(body, 'base64url').toString().replace('"role":"patient"', '"role":"admin"')).toString('base64url')}.${signature}`;
  },
  'cut short': async () => (await sign()).slice(0, -8),
  'that is none': () => 'x',
};

/** Raises the admin's version, as a change of rights does, and waits until every service has been notified. */
async function raisedVersion(): Promise<number> {
  const users = usersOf({ db: services.databases.identity });
  const old = await sign();
  await users.updateOne(
    { email: people.admin.email },
    { $inc: { version: 1 }, $set: { versionChangedAt: new Date() } },
  );
  const raised = performance.now();
  while ((await statuses(old)).some((status) => status !== 401))
    assert.ok(performance.now() - raised < 1_000, 'an older version is let in after a second');
  const { version } = (await users.findOne({ email: people.admin.email })) ?? assert.fail('no admin');
  claims['ver'] = version;
  return version;
}

test('our own token is accepted by all three services', async () => {
  assert.deepEqual(await statuses(await sign()), [200, 200, 200]);
});

for (const [what, forge] of Object.entries(forgeries)) {
  test(`a token ${what} is rejected by all`, async () => {
    assert.deepEqual(await statuses(await forge()), [401, 401, 401]);
    assert.deepEqual(await statuses(await sign()), [200, 200, 200]);
  });
}
