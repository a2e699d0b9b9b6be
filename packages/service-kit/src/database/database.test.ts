import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, withoutPinnedOptions } from './database.ts';

test('reads majority data from the primary and writes to a majority, whatever the address says', async () => {
  const client = createClient(
    'mongodb://a:27017,b:27017/?replicaSet=rs0&readPreference=secondaryPreferred&readPreferenceTags=dc:east&maxStalenessSeconds=90&readConcernLevel=local&w=1&journal=false&wtimeoutMS=5&retryWrites=false&appName=x',
    'svc-test',
  );
  const { readPreference, readConcern, writeConcern, retryWrites, replicaSet } = client.options;
  assert.equal(readPreference.mode, 'primary');
  assert.equal(readPreference.tags, undefined);
  assert.deepEqual(readConcern.toJSON(), { level: 'majority' });
  assert.deepEqual(
    [writeConcern?.w, writeConcern?.journal, writeConcern?.wtimeoutMS],
    ['majority', undefined, undefined],
  );
  assert.equal(retryWrites, true);
  assert.equal(replicaSet, 'rs0');
  await client.close();
});

test('names the options that it leaves out of an address', () => {
  assert.deepEqual(withoutPinnedOptions('mongodb://u:p@a,b/?W=1&tls=true&readpreference=nearest'), {
    uri: 'mongodb://u:p@a,b/?tls=true',
    ignored: ['W', 'readpreference'],
  });
  assert.deepEqual(withoutPinnedOptions('mongodb://a/?w=1'), { uri: 'mongodb://a/', ignored: ['w'] });
  for (const uri of ['mongodb://a', 'mongodb://a/?tls=true&authSource=admin'])
    assert.deepEqual(withoutPinnedOptions(uri), { uri, ignored: [] });
});
