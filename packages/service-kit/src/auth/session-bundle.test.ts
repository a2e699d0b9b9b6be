import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, exportJWK, GeneralSign } from 'jose';
import {
  fitsCookie,
  isBundle,
  isToken,
  longestBundle,
  maxCookieBytes,
  readAudiences,
  tokenFor,
  tokenHeader,
  writeBundle,
  type GeneralJws,
} from './session-bundle.ts';
import { sessionToken } from './session-token.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const three = ['identity', 'clinic', 'pharmacy'];
const jws = await sign(three);
const bundle = writeBundle(jws, three);

async function sign(audiences: readonly string[]): Promise<GeneralJws> {
  const signing = new GeneralSign(Buffer.from(JSON.stringify({ sub: 'ann' })));
  const kid = await calculateJwkThumbprint(await exportJWK(publicKey));
  for (const audience of audiences)
    signing
      .addSignature(privateKey)
      .setProtectedHeader(tokenHeader({ alg: sessionToken.algorithm, kid, typ: sessionToken.type }, audience));
  return signing.sign();
}

describe('a bundle', () => {
  it('has the signed token of each audience', async () => {
    for (const [at, audience] of three.entries()) {
      const token = tokenFor(bundle, audience) ?? assert.fail(`none for ${audience}`);
      const { signature, protected: header } = jws.signatures[at] ?? assert.fail();
      assert.equal(token, `${header}.${jws.payload}.${signature}`);
      assert.equal(decodeProtectedHeader(token)['aud'], audience);
      assert.deepEqual(JSON.parse(Buffer.from((await compactVerify(token, publicKey)).payload).toString()), {
        sub: 'ann',
      });
    }
  });

  it('has the token of a single audience', async () => {
    const one = await sign(['clinic']);
    const { signature, protected: header } = one.signatures[0] ?? assert.fail();
    assert.equal(tokenFor(writeBundle(one, ['clinic']), 'clinic'), `${header}.${one.payload}.${signature}`);
  });

  it('has no token for any other audience, however similar its name', () => {
    for (const audience of ['billing', 'clin', 'clinical', 'linic', '', 'Clinic', 'clinic.', '~clinic', '.', '~'])
      assert.equal(tokenFor(bundle, audience), undefined, audience);
  });

  it('is distinguished from a token, and both fit a cookie without being encoded', () => {
    const token = tokenFor(bundle, 'clinic') ?? '';
    assert.deepEqual([isBundle(bundle), isToken(bundle)], [true, false]);
    assert.deepEqual([isBundle(token), isToken(token)], [false, true]);
    assert.equal(encodeURIComponent(bundle), bundle);
  });

  it('gives no token, or one with an invalid signature, if it was cut or mixed up', async () => {
    const [head = '', ...parts] = bundle.split('~');
    const [identity = '', clinic = '', pharmacy = ''] = parts;
    const broken = [
      '',
      '~',
      '~clinic.',
      '~clinic..',
      `~${clinic}`,
      `${head}~clinic.`,
      `${head}~clinic`,
      `${head}~clinic.~${pharmacy}`,
      `${head}~${clinic}.x`,
      `${head}~${clinic.slice(0, -4)}`,
      `x${head}~${clinic}`,
      `${head}~${pharmacy.replace('pharmacy', 'clinic')}~${clinic}`,
      `${head}~clinic.${identity.split('.')[1]}.${clinic.split('.')[2]}`,
      `~${clinic}~${head}`,
    ];
    for (const each of broken) {
      const token = tokenFor(each, 'clinic');
      if (token === undefined) continue;
      const verified = await compactVerify(token, publicKey).then(
        ({ protectedHeader }) => protectedHeader['aud'],
        () => undefined,
      );
      assert.notEqual(verified, 'clinic', each);
    }
    // The order of the parts doesn't matter.
    const token = tokenFor(`${head}~${pharmacy}~${clinic}~${identity}`, 'clinic');
    assert.equal(token, tokenFor(bundle, 'clinic'));
  });
});

describe('the size of the cookie', () => {
  const services = (count: number): string[] =>
    [...three, ...Array.from({ length: count }, (_, at) => `domain-${at}`)].slice(0, count);

  it('is below 1.2 KB with 3 services and below 2.5 KB with 10, whoever the user is', () => {
    assert.ok(longestBundle(services(3)) < 1.2 * 1024, String(longestBundle(services(3))));
    assert.ok(longestBundle(services(10)) < 2.5 * 1024, String(longestBundle(services(10))));
  });

  it('is limited to what browsers accept', () => {
    assert.equal(maxCookieBytes, 4096);
    assert.ok(fitsCookie(services(25)));
    assert.ok(!fitsCookie(services(40)));
    assert.ok(!fitsCookie(['x'.repeat(4000)]));
  });
});

describe('the names of audiences', () => {
  it('are read from the gateway’s header', () => {
    assert.deepEqual(readAudiences('identity,clinic,lab-2'), ['identity', 'clinic', 'lab-2']);
  });

  it('are rejected if one isn’t a name, or they are repeated or too many', () => {
    const many = Array.from({ length: 40 }, (_, at) => `domain-${at}`).join(',');
    for (const header of [
      '',
      'clinic,',
      'clinic, identity',
      'Clinic',
      'a.b',
      'a~b',
      'clinic,clinic',
      '2a',
      many,
      'x'.repeat(5_000),
    ])
      assert.equal(readAudiences(header), undefined, header.slice(0, 50));
  });
});
