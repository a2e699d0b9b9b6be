import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract';
import { publicationPath, serviceContractVersion, type ServicePublication } from '@clinic/contracts/publication';
import { startTestService } from '../testing/index.ts';
import { shopService } from '../testing/shop-service.ts';

const service = await startTestService(shopService, { env: { SERVICE_VERSION: '1.4.0+3f2a91c', COMMIT: '3f2a91c' } });
after(() => service.close());

test('a service publishes its calls without authentication', async () => {
  const answer = await service.anonymous(publicationPath);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const published = (await answer.json()) as ServicePublication;
  const { name, version, contractVersion, segments, calls, commit } = published;
  assert.equal(commit, '3f2a91c');
  // Every log line names the commit as well.
  assert.ok(service.log.length > 0 && service.log.every((line) => line.includes('"commit":"3f2a91c"')));
  assert.deepEqual(
    { name, version, contractVersion, segments },
    {
      name: 'pharmacy',
      version: '1.4.0+3f2a91c',
      contractVersion: serviceContractVersion,
      segments: ['medicine', 'orderMedi'],
    },
  );
  assert.deepEqual(
    calls.map(({ id }) => id),
    Object.keys(pharmacyCalls),
  );
  const call = (id: string) => calls.find((one) => one.id === id);
  assert.deepEqual(call('listMedicines'), {
    id: 'listMedicines',
    method: 'GET',
    path: '/medicine',
    safe: true,
    shared: true,
  });
  assert.deepEqual(call('watchPharmacy'), {
    id: 'watchPharmacy',
    method: 'GET',
    path: '/orderMedi/changes',
    stream: true,
    safe: true,
  });
  assert.deepEqual(call('importMedicines'), {
    id: 'importMedicines',
    method: 'POST',
    path: '/medicine/import',
    timeoutSeconds: 30,
  });
  assert.deepEqual(call('placeOrder'), { id: 'placeOrder', method: 'POST', path: '/orderMedi' });
});
