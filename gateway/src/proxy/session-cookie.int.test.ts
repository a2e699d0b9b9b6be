import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { tokenFor, tokenHeader, writeBundle } from '@clinic/service-kit/session-bundle';
import { SettingsError } from '@clinic/service-kit/settings';
import { readGatewaySettings } from '../settings.ts';
import { serve, type Echo, type TestServer } from '../testing/servers.ts';
import { startGateway } from '../testing/start-gateway.ts';

/** An address of each service. */
const doors = { identity: '/users/x', clinic: '/appoinments', pharmacy: '/orderMedi' } as const;
const services = Object.keys(doors) as (keyof typeof doors)[];

/** A session cookie with tokens for two services. */
const tokens = new Map<string, string>();
const gateway = await startGateway();
const audiences = ['identity', 'pharmacy'];
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
// The gateway has no key and checks no signature.
const signatures = audiences.map((audience) => ({
  protected: encode(tokenHeader({ alg: 'EdDSA', kid: 'one' }, audience)),
  signature: randomBytes(64).toString('base64url'),
}));
const bundle = writeBundle({ payload: encode({ sub: 'ann' }), signatures }, audiences);
for (const audience of audiences) tokens.set(audience, tokenFor(bundle, audience) ?? assert.fail(audience));
after(() => gateway.close());

/** What a service receives. */
async function received(service: keyof typeof doors, headers: Record<string, string>): Promise<Echo> {
  const answer = (await gateway.ask(doors[service], { headers })).json<Echo>();
  assert.equal(answer.service, service);
  return answer;
}

describe('the session cookie', () => {
  for (const name of ['clinic_session', '__Host-clinic_session'])
    it(`${name} reaches a service with its own token only`, async () => {
      for (const service of services) {
        const token = tokens.get(service);
        const expected = token === undefined ? 'signed_in=1; a=b' : `signed_in=1; ${name}=${token}; a=b`;
        const { headers } = await received(service, { Cookie: `signed_in=1; ${name}=${bundle}; a=b` });
        assert.equal(headers.cookie, expected);
        for (const other of services.filter((each) => each !== service))
          for (const secret of (tokens.get(other) ?? '').split('.').filter((part) => !expected.includes(part)))
            assert.ok(!JSON.stringify(headers).includes(secret), `${service} has a part of the token for ${other}`);
      }
    });

  it('is dropped if it has no token for the service and there are no other cookies', async () => {
    assert.equal((await received('clinic', { Cookie: `clinic_session=${bundle}` })).headers.cookie, undefined);
  });

  it('is reduced in every place it occurs, however it is written', async () => {
    const { headers } = await received('pharmacy', {
      Cookie: `clinic_session=${bundle};\tclinic_session = ${bundle} ;__Host-clinic_session=${bundle}`,
    });
    const token = tokens.get('pharmacy');
    assert.equal(headers.cookie, `clinic_session=${token}; clinic_session=${token}; __Host-clinic_session=${token}`);
  });

  it('is dropped if it is neither a bundle nor a token', async () => {
    for (const broken of [
      encodeURIComponent(bundle).replaceAll('~', '%7E'),
      `"${bundle}"`,
      bundle.replaceAll('.', ''),
      bundle.slice(0, bundle.indexOf('~pharmacy.') + 20),
      'x',
    ]) {
      const { headers } = await received('pharmacy', { Cookie: `a=b; clinic_session=${broken}` });
      assert.equal(headers.cookie, 'a=b', broken);
    }
  });

  it('reaches all services if it is the single token of the previous release', async () => {
    const token = tokens.get('identity');
    for (const service of services) {
      const { headers } = await received(service, { Cookie: `clinic_session=${token}` });
      assert.equal(headers.cookie, `clinic_session=${token}`);
    }
  });

  it('is also reduced for requests with a body and for event streams', async () => {
    const { headers } = (
      await gateway.ask('/orderMedi', {
        method: 'POST',
        body: '{}',
        headers: { Cookie: `clinic_session=${bundle}`, 'Content-Length': '2' },
      })
    ).json<Echo>();
    assert.equal(headers.cookie, `clinic_session=${tokens.get('pharmacy')}`);
    const stream = (
      await gateway.ask('/orderMedi/changes', { headers: { Cookie: `clinic_session=${bundle}` } })
    ).json<Echo>();
    assert.equal(stream.headers.cookie, `clinic_session=${tokens.get('pharmacy')}`);
  });

  it('is reduced again for a second replica if the first fails', async () => {
    const cookies: (string | undefined)[] = [];
    const servers: TestServer[] = [];
    const start = async (fails: () => boolean): Promise<string> => {
      const server = await serve((req, res) => {
        cookies.push(req.headers.cookie);
        if (fails()) req.socket.destroy();
        else res.end('{}');
      });
      servers.push(server);
      return server.url;
    };
    // The first replica to be called fails.
    const first = (): boolean => cookies.length === 1;
    const several = await startGateway({}, { services: { pharmacy: `${await start(first)}|${await start(first)}` } });
    const answer = await several.ask('/orderMedi', { headers: { Cookie: `clinic_session=${bundle}` } });
    assert.equal(answer.status, 200);
    const token = `clinic_session=${tokens.get('pharmacy')}`;
    assert.deepEqual(cookies, [token, token]);
    await several.close();
    await Promise.all(servers.map((server) => server.close()));
  });
});

describe('the names of services', () => {
  it('reach services as the gateway knows them, whatever a client sends', async () => {
    const sent: Record<string, string>[] = [
      {},
      { 'X-Session-Audiences': 'evil' },
      { 'X-Session-Audiences': 'evil', Connection: 'close, X-Session-Audiences' },
    ];
    for (const headers of sent) {
      const answer = await received('identity', headers);
      assert.equal(answer.headers['x-session-audiences'], 'identity,clinic,pharmacy');
    }
  });

  it('aren’t sent to clients', async () => {
    const answer = await gateway.ask('/identitytoolkit.googleapis.com/v1/accounts:lookup', {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Length': '2', Cookie: `clinic_session=${bundle}` },
    });
    const { headers } = answer.json<Echo>();
    assert.deepEqual([headers['x-session-audiences'], headers.cookie], [undefined, undefined]);
  });

  it('stop the start if a cookie can’t hold a token for each', () => {
    const read = (count: number) =>
      readGatewaySettings({
        DEMO_MODE: 'true',
        SERVICES: Array.from({ length: count }, (_, at) => `domain-${at}=http://127.0.0.1:1`).join(),
        SHELL_URL: 'http://127.0.0.1:1',
        REMOTES: 'mf-x=http://127.0.0.1:1',
        AUTH_EMULATOR_URL: 'http://127.0.0.1:1',
      });
    assert.equal(read(20).SERVICES.size, 20);
    assert.throws(
      () => read(40),
      (error: Error) =>
        error instanceof SettingsError &&
        /^SERVICES is wrong: it must be fewer services, .*4096 bytes/.test(error.message),
    );
  });
});
