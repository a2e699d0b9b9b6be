import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import type { Problem } from '@clinic/contracts';
import { startTestService } from '../testing/index.ts';
import { orderBody, ordersOf, shelfOf, shopService } from '../testing/shop-service.ts';

const service = await startTestService(shopService);
after(() => service.close());

const medicine = (name: unknown = 'Paracetamol') => ({
  medicine: { name, quantity: 1, expiryDate: '2030-01-01', pricePerUnit: 1.5 },
});

const send = (who: Parameters<typeof service.as>[0], method: string, path: string, json: unknown): Promise<Response> =>
  service.as(who)(path, { method, json });

async function problemOf(answer: Response, status: number, code: string): Promise<Problem> {
  assert.equal(answer.status, status);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  const problem = (await answer.json()) as Problem;
  assert.equal(problem.code, code);
  assert.equal(problem.status, status);
  assert.equal(problem.requestId, answer.headers.get('x-request-id'));
  return problem;
}

test('responds with 404 at unknown addresses, and 405 to other methods at known ones', async () => {
  await problemOf(await send('admin', 'POST', '/nothing', {}), 404, 'not_found');
  await problemOf(await service.anonymous('/medicinestore'), 404, 'not_found');
  await problemOf(await service.anonymous('/Medicine'), 404, 'not_found');
  const rejected = await service.anonymous('/medicine', { method: 'DELETE' });
  assert.equal(rejected.headers.get('allow'), 'GET, HEAD, POST');
  await problemOf(rejected, 405, 'method_not_allowed');
});

test('authenticates before it validates', async () => {
  await problemOf(
    await service.anonymous('/medicine', {
      method: 'POST',
      body: 'rubbish',
      headers: { 'Content-Type': 'text/plain' },
    }),
    401,
    'unauthenticated',
  );
  await problemOf(await send('patient', 'POST', '/medicine', { medicine: 'rubbish' }), 403, 'forbidden');
  await problemOf(await send('pharmacist', 'POST', '/medicine', { medicine: 'rubbish' }), 400, 'validation_failed');
  assert.equal(await shelfOf(service).countDocuments(), 0);
});

test('checks self after validation, and owners after reading the record', async () => {
  const ann = service.as({ role: 'patient', email: 'ann@clinic.example' });
  const bob = service.as({ role: 'patient', email: 'bob@clinic.example' });
  await problemOf(await bob('/orderMedi', { method: 'POST', json: orderBody('ann@clinic.example') }), 403, 'forbidden');
  await problemOf(await send('admin', 'POST', '/orderMedi', orderBody('ann@clinic.example')), 403, 'forbidden');
  const placed = await ann('/orderMedi', { method: 'POST', json: orderBody(' ANN@clinic.example ') });
  assert.equal(placed.status, 201);
  const { _id } = (await placed.json()) as { _id: string };
  await problemOf(
    await bob(`/orderMedi/${_id}`, { method: 'PATCH', json: { newStatus: 'Cancelled' } }),
    403,
    'forbidden',
  );
  await problemOf(
    await bob(`/orderMedi/${'0'.repeat(24)}`, { method: 'PATCH', json: { newStatus: 'Cancelled' } }),
    404,
    'not_found',
  );
  assert.equal((await ordersOf(service).findOne({}))?.status, 'pending');
  assert.equal((await ann(`/orderMedi/${_id}`, { method: 'PATCH', json: { newStatus: 'Cancelled' } })).status, 200);
  await problemOf(await bob('/orderMedi?email=ann@clinic.example'), 403, 'forbidden');
  await problemOf(await bob('/orderMedi'), 403, 'forbidden');
  assert.equal(((await (await ann('/orderMedi?email=Ann@clinic.example')).json()) as unknown[]).length, 1);
});

test('names every invalid field', async () => {
  const answer = await service.as('admin')('/medicine', {
    method: 'POST',
    json: { medicine: { name: ' ', quantity: -1, expiryDate: 'soon', pricePerUnit: 'x' } },
  });
  const { errors } = await problemOf(answer, 400, 'validation_failed');
  assert.deepEqual(errors?.map(({ field }) => field).sort(), [
    'medicine.expiryDate',
    'medicine.name',
    'medicine.pricePerUnit',
    'medicine.quantity',
  ]);
  await problemOf(await service.anonymous('/medicine?limit=0'), 400, 'validation_failed');
  await problemOf(await service.anonymous('/medicine?limit=5&limit=6'), 400, 'validation_failed');
  // Brackets don't make objects: these are unknown parameters, dropped like any other.
  assert.equal((await service.anonymous('/medicine?limit[$gt]=5&status[$ne]=x')).status, 200);
});

test('distinguishes a malformed id from an unknown one', async () => {
  await problemOf(await send('admin', 'PATCH', '/medicine/12', { name: 'x' }), 400, 'bad_id');
  await problemOf(await send('admin', 'PATCH', '/medicine/%zz', { name: 'x' }), 400, 'malformed_request');
  await problemOf(await send('admin', 'PATCH', `/medicine/${'a'.repeat(24)}`, { name: 'x' }), 404, 'not_found');
  await problemOf(await service.anonymous('/medicine?q=%00'), 400, 'malformed_request');
});

test('accepts only JSON of at most 100 KB', async () => {
  const admin = service.as('admin');
  const post = (body: string, type = 'application/json') =>
    admin('/medicine', { method: 'POST', body, headers: { 'Content-Type': type } });
  await problemOf(await post('{"medicine":'), 400, 'malformed_request');
  await problemOf(await post('"text"'), 400, 'malformed_request');
  await problemOf(await post('a=b', 'application/x-www-form-urlencoded'), 415, 'unsupported_media_type');
  await problemOf(await post('{}', 'text/plain'), 415, 'unsupported_media_type');
  await problemOf(await post(JSON.stringify(medicine('x'.repeat(102_400)))), 413, 'too_large');
  await problemOf(await admin('/medicine', { method: 'POST' }), 400, 'validation_failed');
  assert.equal((await post(JSON.stringify(medicine('Ibuprofen')), 'application/json; charset=utf-8')).status, 201);
});

test('treats names of prototypes and operators as plain data', async () => {
  const body =
    '{"medicine":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"name":"Safe","quantity":1,"expiryDate":"2030-01-01","pricePerUnit":1,"$where":"1"},"__proto__":{"polluted":1}}';
  const answer = await service.as('admin')('/medicine', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  });
  assert.equal(answer.status, 201);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  await problemOf(await send('admin', 'POST', '/medicine', medicine({ $gt: '' })), 400, 'validation_failed');
});

test('rejects changes from other sites before anything else', async () => {
  const answer = await service.as('admin')('/medicine', {
    method: 'POST',
    json: medicine(),
    headers: { 'Sec-Fetch-Site': 'cross-site' },
  });
  await problemOf(answer, 403, 'cross_site');
});

test('reveals no internals in an error response', async () => {
  const answer = await send('admin', 'POST', '/medicine', medicine('explode'));
  const problem = await problemOf(answer, 500, 'internal');
  assert.doesNotMatch(JSON.stringify(problem), /secret|\.ts|at /);
  assert.ok(service.log.some((line) => line.includes('secret of the inside')));
});

test('logs where it failed, without the input', async () => {
  const garbled = { medicine: { ...medicine('garble').medicine, manufacturer: 'Zoe Quxworthy' } };
  const { requestId } = await problemOf(await send('admin', 'POST', '/medicine', garbled), 500, 'internal');
  const line =
    service.log.find((text) => text.includes('unexpected error') && text.includes(requestId ?? 'none')) ?? '';
  assert.match(line, /"type":"SyntaxError".*shop-service\.ts:\d+/);
  assert.doesNotMatch(service.log.join(''), /Quxworthy/);
});

test('logs one line per request with its id, without personal data or bodies', async () => {
  await service.as('admin')('/orderMedi?email=zoe@clinic.example', { headers: { 'X-Request-Id': 'trace-7' } });
  const line = service.log
    .map((text) => JSON.parse(text) as Record<string, unknown>)
    .find(({ requestId }) => requestId === 'trace-7');
  assert.deepEqual(
    {
      call: line?.['call'],
      method: line?.['method'],
      url: line?.['url'],
      status: line?.['status'],
      service: line?.['service'],
    },
    { call: 'listOrders', method: 'GET', url: '/orderMedi?email=[redacted]', status: 200, service: 'pharmacy' },
  );
  assert.doesNotMatch(service.log.join(''), /zoe@|eyJ|clinic_session|Road 5/);
});

test('responds to HEAD like GET without the body, and reports live and ready', async () => {
  const head = await service.anonymous('/medicine', { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
  assert.deepEqual(await (await service.anonymous('/health/live')).json(), { live: true });
  assert.deepEqual(await (await service.anonymous('/health/ready')).json(), {
    ready: true,
    checks: { database: 'ok', sessions: 'ok', process: 'ok' },
  });
});

test('responds to garbage on the socket with 400 instead of crashing', async () => {
  const { hostname, port } = new URL(service.url);
  const answer = await new Promise<string>((resolve, reject) => {
    let text = '';
    connect(Number(port), hostname)
      .on('data', (chunk) => (text += chunk.toString()))
      .on('end', () => resolve(text))
      .on('error', reject)
      .end('BLAH\r\n\r\n');
  });
  assert.match(answer, /^HTTP\/1\.1 400 /);
});
