import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asciiDigits } from './digits.ts';

test('reads the digits of every script', () => {
  for (const digits of [
    '0123456789',
    '০১২৩৪৫৬৭৮৯',
    '٠١٢٣٤٥٦٧٨٩',
    '۰۱۲۳۴۵۶۷۸۹',
    '०१२३४५६७८९',
    '０１２３４５６７８９',
    '𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡',
    '𞥐𞥑𞥒𞥓𞥔𞥕𞥖𞥗𞥘𞥙',
  ])
    assert.equal(asciiDigits(`+${digits} ²Ⅻ`), '+0123456789 ²Ⅻ');
});
