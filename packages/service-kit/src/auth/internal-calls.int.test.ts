import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { internalHeaders, internalSecret } from './internal-calls.ts';
import { defineService } from '../definition.ts';
import { SettingsError } from '../settings/settings.ts';
import { startTestService, testFetch, type TestService } from '../testing/index.ts';
import { shopService, type ShopSettings } from '../testing/shop-service.ts';

const closing: TestService<ShopSettings>[] = [];
after(() => Promise.all(closing.map((service) => service.close())));

const secret = 'secret-of-the-internal-calls-in-this-test';

/** Calls an internal path with these headers; returns the status and how often the handler has run. */
async function startShop(env: Readonly<Record<string, string>>) {
  let asked = 0;
  const shop = await startTestService(
    defineService({
      ...shopService,
      internalRoutes: (router) => {
        router.get('/internal/stock', (_request, response) => {
          asked += 1;
          response.json({ asked });
        });
      },
    }),
    { env },
  );
  closing.push(shop);
  const ask = async (
    headers: Readonly<Record<string, string>>,
    path = '/internal/stock',
  ): Promise<[number, number]> => [(await testFetch(shop.url, headers)(path)).status, asked];
  return { shop, ask };
}

test('an internal call without the secret, or with a wrong one, is rejected before anything happens', async () => {
  const { shop, ask } = await startShop({ INTERNAL_SECRET: secret });
  assert.deepEqual(await ask({}), [401, 0]);
  for (const wrong of [
    `${secret}x`,
    secret.slice(1),
    secret.toUpperCase(),
    '',
    internalSecret({ INTERNAL_SECRET: undefined, DEMO_MODE: true, NODE_ENV: 'production' }),
  ]) {
    assert.deepEqual(await ask({ authorization: `Bearer ${wrong}` }), [401, 0], wrong);
  }
  assert.deepEqual(await ask({ authorization: secret }), [401, 0]);
  // A session isn't a substitute, not even an admin's.
  const token = await shop.issuer.token({ role: 'admin', email: 'admin@clinic.example' });
  assert.deepEqual(await ask({ authorization: `Bearer ${token}`, cookie: `clinic_session=${token}` }), [401, 0]);
  assert.deepEqual(await ask({}, '/INTERNAL/stock'), [401, 0]);
  assert.deepEqual(await ask({}, '/internal/stock/'), [401, 0]);
  assert.deepEqual(await ask(internalHeaders(secret)), [200, 1]);
});

test('during an upgrade, callers without a secret can be accepted; a wrong secret never is', async () => {
  const { ask } = await startShop({ INTERNAL_SECRET: secret, INTERNAL_SECRET_OPTIONAL: 'true' });
  assert.deepEqual(await ask({}), [200, 1]);
  assert.deepEqual(await ask(internalHeaders(secret.slice(1))), [401, 1]);
  assert.deepEqual(await ask(internalHeaders(secret)), [200, 2]);
});

test('production needs a secret of its own; demo and development share a public one', () => {
  const read =
    (INTERNAL_SECRET: string | undefined, more: object = {}) =>
    () =>
      internalSecret({ INTERNAL_SECRET, DEMO_MODE: false, NODE_ENV: 'production', ...more });
  assert.equal(read(secret)(), secret);
  assert.throws(
    read(undefined),
    (error: Error) =>
      error instanceof SettingsError &&
      /^INTERNAL_SECRET is not set: it must be .*, for example INTERNAL_SECRET_FILE=/.test(error.message),
  );
  assert.throws(read('short'), /^SettingsError: INTERNAL_SECRET is wrong: it must be at least 32 characters/);
  const demo = read(undefined, { DEMO_MODE: true })();
  assert.equal(read(undefined, { NODE_ENV: 'development' })(), demo);
  assert.throws(read(demo), /^SettingsError: INTERNAL_SECRET is the demo secret, which everyone can read/);
});
