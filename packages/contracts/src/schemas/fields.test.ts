import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isoDate, lines, optionalText, phone, text } from './fields.ts';

describe('text that is stored', () => {
  it('has no control characters and no halves of characters', () => {
    for (const vile of ['Am\u0000ina', '\u001b[31m', 'a\r\nSet-Cookie: x=1', 'a\tb', '\ud800', 'a\udfffb', '\u0085']) {
      for (const schema of [text('Name'), optionalText('Name')]) {
        const { error } = schema.safeParse(`x${vile}x`);
        assert.equal(error?.issues[0]?.message, 'Name has characters that can’t be shown', JSON.stringify(vile));
      }
    }
  });

  it('has letters of every script, signs of every kind and markup, which are only text', () => {
    for (const name of ['আমিনা খাতুন', 'Đặng Thị 🧑‍⚕️', "O'Brien <b>& Sons</b>", 'a‎b', '=1+1']) assert.equal(text('Name').parse(` ${name} `), name);
    assert.equal(optionalText('Name').parse(''), '');
  });

  it('has several lines where a parcel is sent to, ended in one way', () => {
    assert.equal(lines('Address').parse('12 Lake Road\r\nDhaka\r1205'), '12 Lake Road\nDhaka\n1205');
    assert.equal(lines('Address').safeParse('12\u0000').success, false);
  });

  it('has phone numbers in one line', () => {
    assert.equal(phone.safeParse('123\n456').success, false);
    assert.equal(phone.parse('+880 1555-010400'), '+880 1555-010400');
  });
});

it('knows the days on which something can happen here', () => {
  for (const date of ['1900-01-01', '2028-02-29', '2999-12-31']) assert.equal(isoDate('Date').parse(date), date);
  for (const date of ['0000-01-01', '1899-12-31', '3000-01-01', '9999-12-31', '2027-02-29', '+275760-09-13', '٢٠٢٦-01-01']) assert.equal(isoDate('Date').safeParse(date).success, false, date);
});
