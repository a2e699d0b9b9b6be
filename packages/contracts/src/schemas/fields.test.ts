import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { email, isoDate, lines, optionalPhone, optionalText, paging, phone, text } from './fields.ts';

describe('stored text', () => {
  it('can’t contain control characters or lone surrogates', () => {
    for (const vile of [
      'Am\u0000ina',
      '\u001b[31m',
      'a\r\nSet-Cookie: x=1',
      'a\tb',
      '\ud800',
      'a\udfffb',
      '\u0085',
      'a\u2028b',
      'a\u2029b',
    ]) {
      for (const schema of [text('Name'), optionalText('Name')]) {
        const { error } = schema.safeParse(`x${vile}x`);
        assert.equal(error?.issues[0]?.message, 'Name has characters we can’t use', JSON.stringify(vile));
      }
    }
  });

  it('may contain letters of every script, all symbols and markup, which is plain text', () => {
    for (const name of ['আমিনা খাতুন', 'Đặng Thị 🧑‍⚕️', "O'Brien <b>& Sons</b>", '=1+1'])
      assert.equal(text('Name').parse(` ${name} `), name);
    assert.equal(optionalText('Name').parse(''), '');
  });

  it('loses invisible characters before it is validated', () => {
    for (const schema of [text('Name'), optionalText('Name'), lines('Name')])
      assert.equal(schema.parse('\u200b \u202eAnn\u200da \u2066'), 'Anna');
    assert.equal(text('Name').safeParse('\u200b\u3164 ').error?.issues[0]?.message, 'Name is required');
    assert.equal(optionalText('Name').parse('\u200b'), '');
    assert.equal(text('Name').parse('র\u200d্যাব'), 'র\u200d্যাব');
    assert.equal(text('Name').parse(`${'\u200b'.repeat(500)}${'a'.repeat(200)}`), 'a'.repeat(200));
  });

  it('may have several lines in a delivery address, with one kind of line ending', () => {
    assert.equal(lines('Address').parse('12 Lake Road\r\nDhaka\r1205'), '12 Lake Road\nDhaka\n1205');
    assert.equal(lines('Address').safeParse('12\u0000').success, false);
  });

  it('must be a single line in phone numbers', () => {
    assert.equal(phone.safeParse('123\n456').success, false);
    assert.equal(phone.parse('+880 1555-010400'), '+880 1555-010400');
  });
});

it('accepts phone numbers as people paste them, without what nobody sees', () => {
  for (const [pasted, kept] of [
    ['\u202a+880\u00a01711\u2011123456\u202c', '+880\u00a01711\u2011123456'],
    ['\ufeff01711\u200b123456\u2060', '01711123456'],
    ['০১৭১১\u200d১২৩৪৫৬', '০১৭১১১২৩৪৫৬'],
    ['٠١٧١١ ١٢٣٤٥٦', '٠١٧١١ ١٢٣٤٥٦'],
    ['(+880) 1711–123.456', '(+880) 1711–123.456'],
    ['01711\u202f123\u2007456', '01711\u202f123\u2007456'],
  ] as const) {
    assert.equal(phone.parse(pasted), kept);
    assert.equal(optionalPhone.parse(pasted), kept);
  }
  assert.equal(optionalPhone.parse(' \u200b'), '');
  for (const [wrong, message] of [
    ['', 'Phone number is required'],
    ['\u200b', 'Phone number is required'],
    ['()-', 'A phone number must have at least 3 digits'],
    ['12', 'A phone number must have at least 3 digits'],
    ['call me', 'A phone number can only have digits, spaces and + ( ) . -'],
    ['1'.repeat(33), 'Phone number must be 32 characters or fewer'],
  ] as const)
    assert.deepEqual(
      phone.safeParse(wrong).error?.issues.map((issue) => issue.message),
      [message],
    );
});

it('accepts email addresses with invisible characters, and drops these', () => {
  assert.equal(email.parse('\u200bAnn\u00ad@mail.example\u2060'), 'ann@mail.example');
  assert.equal(email.safeParse('\u200b').error?.issues[0]?.message, 'Email is required');
});

it('accepts only dates within the years the product deals with', () => {
  for (const date of ['1900-01-01', '2028-02-29', '2999-12-31']) assert.equal(isoDate('Date').parse(date), date);
  for (const date of [
    '0000-01-01',
    '1899-12-31',
    '3000-01-01',
    '9999-12-31',
    '2027-02-29',
    '+275760-09-13',
    '٢٠٢٦-01-01',
  ])
    assert.equal(isoDate('Date').safeParse(date).success, false, date);
});

it('accepts page sizes in decimal digits only', () => {
  const { limit } = z.object(paging).parse({ limit: '20' });
  assert.equal(limit, 20);
  assert.equal(z.object(paging).parse({ limit: 200 }).limit, 200);
  assert.equal(z.object(paging).parse({}).limit, undefined);
  for (const wrong of [
    '0x10',
    '0b11',
    '0o7',
    '1e2',
    ' 5',
    '5 ',
    '',
    '-1',
    '+1',
    '1.0',
    '0',
    '201',
    'NaN',
    '٣',
    ['1'],
    null,
    true,
    0,
    1.5,
    Number.NaN,
  ]) {
    const { error } = z.object(paging).safeParse({ limit: wrong });
    assert.deepEqual(
      error?.issues.map(({ path, message }) => [path.join('.'), message]),
      [['limit', 'Limit must be a whole number from 1 to 200']],
      JSON.stringify(wrong),
    );
  }
});
