import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import type { Problem } from '@clinic/contracts';
import { personalDataPath, type PersonalDataCalls } from '@clinic/contracts/personal-data-calls';
import { billingPublication, startBilling, type Billing } from '../testing/billing.ts';
import { emptyFolder } from '../testing/remembered.ts';
import { serve } from '../testing/servers.ts';
import { startGateway, type TestGateway } from '../testing/start-gateway.ts';

describe('a published call', () => {
  const holding: ServerResponse[] = [];
  const calls = [
    { id: 'slow', method: 'POST', path: '/invoices/slow', timeoutSeconds: 60 },
    { id: 'quick', method: 'GET', path: '/invoices/:id/quick', timeoutSeconds: 0.05 },
    { id: 'upload', method: 'PUT', path: '/invoices/:id', maxBodyBytes: 300_000 },
    { id: 'watch', method: 'GET', path: '/invoices/changes', stream: true },
    { id: 'list', method: 'GET', path: '/invoices/shared', shared: true },
    { id: 'once', method: 'GET', path: '/invoices/once', safe: false },
  ];
  let billing: Billing;
  let gateway: TestGateway;
  beforeEach(async () => {
    billing = await startBilling(
      (req, res) => {
        let bytes = 0;
        req.on('data', (chunk: Buffer) => (bytes += chunk.length));
        req.on('end', () => {
          if (/slow|quick/.test(req.url ?? '')) holding.push(res);
          else if (req.url?.endsWith('once')) req.socket.resetAndDestroy();
          else res.end(String(bytes));
        });
      },
      billingPublication({}, calls),
    );
    gateway = await startGateway({}, { services: { billing: billing.url } });
  });
  afterEach(async () => {
    await gateway.close();
    await billing.close();
  });
  after(() => holding.splice(0));

  it('may set its timeout', async () => {
    const slow = gateway.ask('/invoices/slow', { method: 'POST', body: '{}' });
    const quick = await gateway.ask('/invoices/7/quick');
    assert.equal(quick.status, 503);
    assert.match(String(quick.json<Problem>().detail), /too long to respond/);
    for (const res of holding) res.end('late');
    assert.equal((await slow).text, 'late');
  });

  it('may set its maximum body size', async () => {
    const body = 'x'.repeat(250_000);
    assert.equal((await gateway.ask('/invoices/7', { method: 'PUT', body })).text, '250000');
    assert.equal((await gateway.ask('/invoices/7', { method: 'PATCH', body })).status, 413);
  });

  it('may say that it must not be retried', async () => {
    assert.equal((await gateway.ask('/invoices/once')).status, 503);
    assert.deepEqual(billing.seen, ['GET /invoices/once']);
  });

  it('follows the replica that was renewed last', async () => {
    const upload = (maxBodyBytes: number) =>
      billingPublication({}, [{ id: 'upload', method: 'PUT', path: '/invoices/:id', maxBodyBytes }]);
    const later = await startBilling((req, res) => void req.resume().on('end', () => res.end()), upload(10));
    await using two = await startGateway({}, { services: { billing: `${billing.url}|${later.url}` } });
    const statusOf = async (bytes: number) =>
      (await two.ask('/invoices/7', { method: 'PUT', body: 'x'.repeat(bytes) })).status;
    for (const [renewed, bytes] of [
      [billing, 20],
      [later, 30],
      [billing, 40],
    ] as const) {
      renewed.publication = upload(bytes);
      await two.gateway.poll();
      assert.deepEqual([await statusOf(bytes), await statusOf(bytes + 1)], [200, 413]);
    }
    // It isn't the service that failed.
    assert.doesNotMatch(await two.gateway.metrics.registry.metrics(), /reason="too large"/);
    await later.close();
  });

  it('that copies or erases personal data, or lists who looked at it, is listed, with the services that haven’t published theirs', async () => {
    const path = '/invoices/erasure';
    billing.publication = billingPublication({}, [
      { id: 'eraseBilling', method: 'POST', path, personalData: 'erasure' },
      // Another service's address.
      { id: 'looksAtBilling', method: 'GET', path: '/invoices/looks', looks: true },
      { id: 'eraseUsers', method: 'POST', path: '/users/erasure', personalData: 'erasure' },
    ]);
    await gateway.gateway.poll();
    const { calls: listed, looks, unknown } = (await gateway.ask(personalDataPath)).json<PersonalDataCalls>();
    assert.deepEqual(
      listed.map(({ service, id }) => `${service}: ${id}`),
      [
        'clinic: exportClinicData',
        'clinic: eraseClinicData',
        'pharmacy: exportPharmacyData',
        'pharmacy: erasePharmacyData',
        'billing: eraseBilling',
      ],
    );
    assert.deepEqual(listed.at(-1), {
      service: 'billing',
      id: 'eraseBilling',
      method: 'POST',
      path,
      personalData: 'erasure',
    });
    assert.deepEqual(unknown, []);
    assert.deepEqual(
      looks?.map(({ id }) => id),
      ['listClinicLooks', 'listPharmacyLooks', 'looksAtBilling'],
    );
    assert.deepEqual(looks?.at(-1), {
      service: 'billing',
      id: 'looksAtBilling',
      method: 'GET',
      path: '/invoices/looks',
    });

    using folder = emptyFolder();
    const dead = await serve(() => undefined);
    await dead.close();
    await using other = await startGateway({ PUBLICATIONS_DIR: folder.path }, { services: { billing: dead.url } });
    assert.deepEqual((await other.ask(personalDataPath)).json<PersonalDataCalls>().unknown.at(-1), 'billing');
  });
});
