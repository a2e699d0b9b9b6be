import assert from 'node:assert/strict';
import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { GatewayRequest } from './gateway-request.ts';
import { UnderWay } from './under-way.ts';

it('knows exactly those that are not done yet, in whatever order they end', () => {
  const underWay = new UnderWay();
  const exchanges = Array.from({ length: 50 }, () => {
    const req = new GatewayRequest(new Socket());
    return { req, res: new ServerResponse(req) };
  });
  const known = (): Set<GatewayRequest> => {
    const seen = new Set<GatewayRequest>();
    underWay.forEach((req, res) => {
      assert.equal(res.req, req);
      seen.add(req);
    });
    return seen;
  };
  for (const { req, res } of exchanges) underWay.add(req, res);
  const open = new Set(exchanges.map(({ req }) => req));
  // A stride without a common divisor meets each of them once: first, last and middle ones in turn.
  for (let step = 0; step < exchanges.length; step += 1) {
    const ended = exchanges[(step * 17) % exchanges.length];
    assert.ok(ended);
    ended.res.emit('close');
    open.delete(ended.req);
    assert.deepEqual(known(), open);
    assert.equal(underWay.size, open.size);
  }
});

it('can be walked while the walk ends some of them', () => {
  const underWay = new UnderWay();
  const requests = Array.from({ length: 5 }, () => new GatewayRequest(new Socket()));
  for (const req of requests) underWay.add(req, new ServerResponse(req));
  const walked: GatewayRequest[] = [];
  underWay.forEach((req, res) => {
    walked.push(req);
    res.emit('close');
  });
  assert.deepEqual(walked, requests);
  assert.equal(underWay.size, 0);
});
