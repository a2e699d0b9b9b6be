import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceFilter } from './browser-traces.ts';
import type { GatewayRequest } from '../server/gateway-request.ts';

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const fromOurPage = { traceparent, 'sec-fetch-site': 'same-origin' };

/** The headers that remain, without `Sec-Fetch-Site`. */
function left(
  filter: ReturnType<typeof traceFilter>,
  headers: Readonly<Record<string, string | undefined>>,
  address = '192.0.2.1',
) {
  const req = { headers: { ...headers }, origin: { address } } as unknown as GatewayRequest;
  filter(req);
  const { 'sec-fetch-site': _, ...others } = req.headers;
  return others;
}

test('no client’s trace is continued unless pages may start traces', () => {
  assert.deepEqual(left(traceFilter(0), { ...fromOurPage, tracestate: 'a=b', accept: '*/*' }), { accept: '*/*' });
});

test('only sampled traces of our own pages are continued', () => {
  const filter = traceFilter(0.01);
  assert.deepEqual(left(filter, { ...fromOurPage, tracestate: 'a=b' }), { traceparent });
  for (const other of [
    { traceparent },
    { traceparent, 'sec-fetch-site': 'cross-site' },
    { ...fromOurPage, traceparent: traceparent.replace(/01$/, '00') },
    { ...fromOurPage, traceparent: traceparent.replaceAll('a', '0') },
    { ...fromOurPage, traceparent: traceparent.replaceAll('b', '0') },
    { ...fromOurPage, traceparent: 'anything' },
  ])
    assert.deepEqual(left(filter, other), {}, JSON.stringify(other));
});

test('a network’s traces over the limit are sampled by the gateway itself', () => {
  const filter = traceFilter(1);
  const continued = Array.from({ length: 700 }, () => left(filter, fromOurPage)).filter((one) => one['traceparent']);
  assert.equal(continued.length, 600);
  assert.deepEqual(left(filter, fromOurPage, '198.51.100.1'), { traceparent });
});
