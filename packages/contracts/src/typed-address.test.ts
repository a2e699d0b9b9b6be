import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { email } from './schemas/fields.ts';
import { isTypedAddress, typedAddress } from './typed-address.ts';

it('makes of a typed address what services make of it', () => {
  const pasted = fc.string({
    unit: fc.constantFrom(
      ...'a b . - @ & é'.split(' '),
      ' ',
      '\u00a0',
      '\u200b',
      '\u200d',
      '\u202e',
      '\u2066',
      '\ufeff',
      '\u00ad',
    ),
  });
  fc.assert(
    fc.property(pasted, pasted, (name, domain) => {
      const text = `${name}n@${domain}example.com`;
      const [onPage, atService] = [email.safeParse(typedAddress(text)), email.safeParse(text)];
      assert.deepEqual(onPage.data, atService.data);
      assert.equal(isTypedAddress(text), atService.success);
      if (atService.success) assert.equal(typedAddress(text).toLowerCase(), atService.data);
    }),
    { numRuns: 2_000 },
  );
});
