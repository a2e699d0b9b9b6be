// Today's builds, judged by a release that raises the contract by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { raiseContract } from '../testing/raised-contract.ts';

raiseContract();
const remotes = await import('./remotes.ts');
const services = await import('./services.ts');

test('today’s remotes are adapted, older and later ones rejected', () => {
  const { newest, oldest } = remotes.remoteWindow;
  assert.equal(oldest, newest - 1);
  assert.deepEqual([newest, oldest, oldest - 1, newest + 1].map(remotes.isAccepted), [true, true, false, false]);
  const page = { contractVersion: oldest, createPage: () => null };
  assert.deepEqual(remotes.acceptModule(page), { ...page, contractVersion: newest });
  assert.equal(remotes.acceptModule({ contractVersion: oldest - 1 }), undefined);
  // The version stays, because the module behind it has yet to be adapted.
  assert.deepEqual(remotes.acceptDescriptor({ contractVersion: oldest, title: 'Clinic' }), {
    contractVersion: oldest,
    title: 'Clinic, adapted',
  });
  const later = { contractVersion: newest + 1, title: 'Clinic' };
  assert.equal(remotes.acceptDescriptor(later), later);
});

test('today’s services are adapted, older ones rejected', () => {
  const { newest, oldest } = services.serviceWindow;
  const published = { name: 'billing', version: '1.0.0', contractVersion: oldest };
  assert.deepEqual(services.acceptPublication(published), {
    name: 'billing',
    version: '1.0.0, adapted',
    contractVersion: newest,
  });
  assert.throws(() => services.acceptPublication({ ...published, contractVersion: oldest - 1 }), {
    message: `its contract version is ${oldest - 1}, not ${oldest} or ${newest}`,
  });
});
