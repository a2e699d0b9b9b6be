import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxKey, SecretBox } from './secret-box.ts';

const key = boxKey('a', 'material', 'tests');
const other = boxKey('b', 'other material', 'tests');

test('decrypts what it encrypted, and encrypts the same text differently each time', () => {
  const box = new SecretBox(key);
  const [first, second] = [box.seal('JBSWY3DPEHPK3PXP', 'ann'), box.seal('JBSWY3DPEHPK3PXP', 'ann')];
  assert.notEqual(first, second);
  assert.ok(!first.includes('JBSWY3DPEHPK3PXP'));
  assert.deepEqual(
    [box.open(first, 'ann'), new SecretBox(key).open(second, 'ann')],
    ['JBSWY3DPEHPK3PXP', 'JBSWY3DPEHPK3PXP'],
  );
});

test('rejects another record, another key, another purpose and altered text', () => {
  const box = new SecretBox(key);
  const sealed = box.seal('JBSWY3DPEHPK3PXP', 'ann');
  assert.equal(box.open(sealed, 'bob'), undefined);
  assert.equal(new SecretBox(other).open(sealed, 'ann'), undefined);
  assert.equal(new SecretBox(boxKey('a', 'material', 'others')).open(sealed, 'ann'), undefined);
  const parts = sealed.split('.');
  for (let at = 0; at < parts.length; at += 1) {
    const altered = parts.with(
      at,
      (parts[at] ?? '').replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    );
    assert.equal(box.open(altered.join('.'), 'ann'), undefined, `part ${at}`);
    assert.equal(box.open(parts.slice(0, at).join('.'), 'ann'), undefined, `${at} parts`);
  }
});

test('after a change of keys, decrypts texts of the previous key and reports them as old', () => {
  const sealed = new SecretBox(key).seal('JBSWY3DPEHPK3PXP', 'ann');
  const box = new SecretBox(other, key);
  assert.equal(box.open(sealed, 'ann'), 'JBSWY3DPEHPK3PXP');
  assert.deepEqual([box.isCurrent(sealed), box.isCurrent(box.seal('x', 'ann'))], [false, true]);
});
