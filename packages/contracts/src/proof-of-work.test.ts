import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leadingZeroBits } from './proof-of-work.ts';

test('counts the leading zero bits of a digest', () => {
  const cases: readonly (readonly [readonly number[], number])[] = [
    [[0x80], 0],
    [[0x7f], 1],
    [[0x01], 7],
    [[0x00, 0xff], 8],
    [[0x00, 0x00, 0x10], 19],
    [[0x00, 0x00], 16],
  ];
  for (const [bytes, bits] of cases) assert.equal(leadingZeroBits(Uint8Array.from(bytes)), bits, bytes.join());
});
