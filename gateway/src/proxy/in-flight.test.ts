import assert from 'node:assert/strict';
import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { GatewayRequest } from './gateway-request.ts';
import { RequestsInFlight } from './in-flight.ts';

it('holds exactly the requests in flight, in whatever order they end', () => {
  const inFlight = new RequestsInFlight();
  const requests = Array.from({ length: 50 }, () => {
    const req = new GatewayRequest(new Socket());
    return { req, res: new ServerResponse(req) };
  });
  const known = (): Set<GatewayRequest> => {
    const seen = new Set<GatewayRequest>();
    inFlight.forEach((req, res) => {
      assert.equal(res.req, req);
      seen.add(req);
    });
    return seen;
  };
  for (const { req, res } of requests) inFlight.add(req, res);
  const open = new Set(requests.map(({ req }) => req));
  // A stride coprime to the count visits each one once, mixing first, last and middle ones.
  for (let step = 0; step < requests.length; step += 1) {
    const ended = requests[(step * 17) % requests.length];
    assert.ok(ended);
    ended.res.emit('close');
    open.delete(ended.req);
    assert.deepEqual(known(), open);
    assert.equal(inFlight.size, open.size);
  }
});

it('can be iterated while the iteration ends some of them', () => {
  const inFlight = new RequestsInFlight();
  const requests = Array.from({ length: 5 }, () => new GatewayRequest(new Socket()));
  for (const req of requests) inFlight.add(req, new ServerResponse(req));
  const walked: GatewayRequest[] = [];
  inFlight.forEach((req, res) => {
    walked.push(req);
    res.emit('close');
  });
  assert.deepEqual(walked, requests);
  assert.equal(inFlight.size, 0);
});
