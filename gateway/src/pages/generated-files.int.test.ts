import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployed } from '@clinic/contracts/uses';
import { billingPublication, startBilling } from '../testing/billing.ts';
import { startGateway } from '../testing/start-gateway.ts';

test('lists each service’s calls, except under others’ segments, and the services that haven’t responded yet', async (t) => {
  const billing = await startBilling(
    (_req, res) => res.end(),
    billingPublication({ version: '1.4.0', segments: ['invoices', 'about'] }, [
      { id: 'readAbout', method: 'GET', path: '/about/billing' },
    ]),
  );
  const silent = await startBilling((_req, res) => res.end(), '');
  const gateway = await startGateway({}, { services: { billing: billing.url, lab: silent.url } });
  t.after(async () => {
    await gateway.close();
    await billing.close();
    await silent.close();
  });
  const { contracts, services, unknown } = (await gateway.ask('/deployed.json')).json<Deployed>();
  assert.deepEqual(contracts, { newest: 1, oldest: 1 });
  assert.deepEqual(
    services.find(({ name }) => name === 'billing'),
    {
      name: 'billing',
      version: '1.4.0',
      contractVersion: 1,
      segments: ['invoices'],
      calls: [{ id: 'listInvoices', method: 'GET', path: '/invoices' }],
    },
  );
  assert.deepEqual(unknown, ['lab']);
});
