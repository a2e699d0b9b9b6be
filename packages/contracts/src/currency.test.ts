import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { currencySign } from './currency.ts';
import { formatOrderTotal, formatStorePrice, setCurrencySign } from './money.ts';

afterEach(() => setCurrencySign(undefined));

test('knows the signs of currencies with two decimals', () => {
  assert.equal(currencySign('BDT'), '৳');
  assert.equal(currencySign('EUR'), '€');
  assert.equal(currencySign('CHF'), 'CHF\u00a0');
  for (const other of ['JPY', 'KWD', 'XX', 'bdt', '৳', '']) assert.equal(currencySign(other), undefined, other);
});

test('a clinic with a currency shows one sign everywhere, a demo shows both of its signs', () => {
  assert.deepEqual([formatStorePrice(1250), formatOrderTotal(1250)], ['$12.50', '৳12.50']);
  setCurrencySign('€');
  assert.deepEqual([formatStorePrice(123_450), formatOrderTotal(5)], ['€1,234.50', '€0.05']);
  assert.equal(formatStorePrice(1250, '৳'), '৳12.50');
});
