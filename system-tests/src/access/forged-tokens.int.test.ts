import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { after, before, test } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { SignJWT, type JWTPayload } from 'jose';
import { cookieNames, sessionToken } from '@clinic/service-kit';
import { usersOf } from '../../../svc-identity/src/users/user-record.ts';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import type { ServiceName } from '../support/every-call.ts';

/** A call of each service that only some may make. */
const restrictedCalls: readonly (readonly [ServiceName, string])[] = [
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
/** Header of a token for a service. */
const header = (aud: string): { alg: string; kid: string; typ: string; aud: string } => ({
  alg: sessionToken.algorithm,
  kid: services.key.kid,
  typ: sessionToken.type,
  aud,
});

/** Makes a token for a service. */
type Forge = (service: ServiceName) => string | Promise<string>;

function sign(
  service: ServiceName,
  changes: JWTPayload & Record<string, unknown> = {},
  heading: object = {},
  key: KeyObject = services.key.privateKey,
): Promise<string> {
  return new SignJWT({ ...claims, ...changes }).setProtectedHeader({ ...header(service), ...heading }).sign(key);
}

/** Statuses of the three services' answers to a token for each. */
async function statuses(forge: Forge): Promise<number[]> {
  const answers = await Promise.all(
    restrictedCalls.map(async ([service, path]) =>
      services.from(`${cookieNames.access}=${await forge(service)}`)(service)(path),
    ),
  );
  return answers.map(({ status }) => status);
}

/** The admin's version after the change of rights, once it has happened. */
let raised: Promise<number> | undefined;
const foreignKey = generateKeyPairSync('ed25519').privateKey;
const forgeries: Readonly<Record<string, Forge>> = {
  'unsigned (alg none)': (service) => `${encode({ ...header(service), alg: 'none' })}.${encode(claims)}.`,
  'signed with the public key as a password (HS256)': (service) => {
    const text = `${encode({ ...header(service), alg: 'HS256' })}.${encode(claims)}`;
    return `${text}.${createHmac('sha256', Buffer.from(services.key.publicJwk.x ?? '', 'base64url'))
      .update(text)
      .digest('base64url')}`;
  },
  'signed with the published key as JSON (HS256)': (service) => {
    const text = `${encode({ ...header(service), alg: 'HS256' })}.${encode(claims)}`;
    return `${text}.${createHmac('sha256', JSON.stringify(services.key.publicJwk)).update(text).digest('base64url')}`;
  },
  'of another environment, under our key’s name': (service) => sign(service, {}, {}, foreignKey),
  'of another environment, under its own key’s name': (service) => sign(service, {}, { kid: 'staging' }, foreignKey),
  'that brings its own key': (service) =>
    sign(service, {}, { jwk: generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }) }, foreignKey),
  'that names an address for its key': (service) =>
    sign(service, {}, { jku: 'https://evil.example/keys', kid: 'evil' }, foreignKey),
  'of another issuer': (service) => sign(service, { iss: 'clinic-staging' }),
  'for somebody else': (service) => sign(service, { aud: 'billing' }),
  'for another service': (service) => sign(service, {}, { aud: service === 'clinic' ? 'pharmacy' : 'clinic' }),
  'for several services': (service) => sign(service, {}, { aud: [service, 'billing'] }),
  'for a list of one service': (service) => sign(service, {}, { aud: [service] }),
  'for a service by a similar name': (service) => sign(service, {}, { aud: ` ${service.toUpperCase()}` }),
  'for no service': (service) => sign(service, {}, { aud: '' }),
  'for null': (service) => sign(service, {}, { aud: null }),
  'of another type': (service) => sign(service, {}, { typ: 'JWT' }),
  'that has expired': (service) =>
    sign(service, { iat: Number(claims['iat']) - 400, exp: Number(claims['iat']) - 100 }),
  'that would live for a year': (service) =>
    sign(service, { iat: Number(claims['iat']) - 3_600, exp: Number(claims['exp']) + 31_536_000 }),
  'from the future': (service) => sign(service, { nbf: Number(claims['exp']) }),
  'without an end': (service) => sign(service, { exp: undefined }),
  'of an older version of the rights': async (service) =>
    sign(service, { ver: (await (raised ??= raisedVersion())) - 1 }),
  'with a role that there isn’t': (service) => sign(service, { role: 'owner' }),
  'of which one letter was changed': async (service) => {
    const [head = '', body = '', signature = ''] = (await sign(service, { role: 'patient' })).split('.');
    return `${head}.${Buffer.from(Buffer.from(body, 'base64url').toString().replace('"role":"patient"', '"role":"admin"')).toString('base64url')}.${signature}`;
  },
  'cut short': async (service) => (await sign(service)).slice(0, -8),
  'that is none': () => 'x',
};

/** Raises the admin's version, as a change of rights does, and waits until every service has been notified. */
async function raisedVersion(): Promise<number> {
  const users = usersOf({ db: services.databases.identity });
  const { ver } = claims;
  const old: Forge = (service) => sign(service, { ver });
  await users.updateOne(
    { email: people.admin.email },
    { $inc: { version: 1 }, $set: { versionChangedAt: new Date() } },
  );
  await waitUntil(async () => (await statuses(old)).every((status) => status === 401));
  const { version } = (await users.findOne({ email: people.admin.email })) ?? assert.fail('no admin');
  claims['ver'] = version;
  return version;
}

test('our own token is accepted by all three services', async () => {
  assert.deepEqual(await statuses(sign), [200, 200, 200]);
});

for (const [what, forge] of Object.entries(forgeries)) {
  test(`a token ${what} is rejected by all`, async () => {
    assert.deepEqual(await statuses(forge), [401, 401, 401]);
    assert.deepEqual(await statuses(sign), [200, 200, 200]);
  });
}
