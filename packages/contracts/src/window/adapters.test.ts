import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractVersion } from '../remotes.ts';
import { acceptDescriptor, acceptModule, isAccepted } from './remotes.ts';
import { acceptPublication } from './services.ts';

const page = { contractVersion, createPage: () => null };

test('the first contract accepts its own version only', () => {
  assert.equal(acceptModule(page), page);
  for (const other of [contractVersion - 1, contractVersion + 1]) {
    assert.equal(isAccepted(other), false);
    assert.equal(acceptModule({ contractVersion: other }), undefined);
    assert.throws(() => acceptPublication({ contractVersion: other }), {
      message: `its contract version is ${other}, not ${contractVersion}`,
    });
  }
  const descriptor = { contractVersion: contractVersion - 1 };
  assert.equal(acceptDescriptor(descriptor), descriptor);
  for (const malformed of [null, 'text', {}, []])
    assert.throws(() => acceptPublication(malformed), /version is undefined/);
});
