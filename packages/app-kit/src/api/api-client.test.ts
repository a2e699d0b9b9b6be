/** @jest-environment node */
import { clinicCalls } from '@clinic/svc-clinic/contract';
import { identityCalls } from '@clinic/svc-identity/contract';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract';
import { createApi, ownChanges, type Api } from './api-client.ts';
import { ApiProblem, isWorthRetrying } from './api-problem.ts';
import { problemAnswer, startTestServer, type TestHandler, type TestServer } from '../testing/test-server.ts';
import { addCalls } from './call-table.ts';

addCalls({ ...identityCalls, ...clinicCalls, ...pharmacyCalls });

let server: TestServer;
let answer: TestHandler;
let refresh: jest.Mock<Promise<boolean>, []>;
let api: Api;

beforeEach(async () => {
  answer = () => ({ json: [] });
  refresh = jest.fn(() => Promise.resolve(true));
  server = await startTestServer((request) => answer(request));
  api = createApi({ baseUrl: server.url, timeout: 60_000, refresh: () => refresh() });
});

afterEach(() => server.close());

async function problemOf(call: Promise<unknown>): Promise<ApiProblem> {
  const error: unknown = await call.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiProblem)) throw new Error(`Not a problem: ${String(error)}`);
  return error;
}

test('fills path and query, and omits what is undefined', async () => {
  await api.call('getUser', { params: { email: 'a+b@clinic.example' } });
  await api.call('listOrders', { query: { q: 'aspirin & co', limit: 20, cursor: '', status: undefined } });
  expect(server.seen.map(({ url }) => url)).toEqual([
    '/users/a%2Bb%40clinic.example',
    '/orderMedi?q=aspirin+%26+co&limit=20',
  ]);
});

test('sends JSON with a request id and the idempotency key', async () => {
  const body = {
    items: [{ medicineId: 'm1', quantity: 2 }],
    deliveryAddress: 'Here',
    customeremail: 'a@clinic.example',
    customerPhone: '123',
  };
  await api.call('placeOrder', { body, idempotencyKey: 'key-1' });
  const [request] = server.seen;
  expect(request).toMatchObject({ method: 'POST', url: '/orderMedi', body });
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'idempotency-key': 'key-1',
    'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});

test('reads a record with its ETag, and sends the ETag with the change', async () => {
  answer = ({ method }) =>
    method === 'GET' ? { json: { name: 'Aspirin' }, headers: { etag: '"one"' } } : problemAnswer('changed_meanwhile');
  const { record, etag } = await api.tagged('getMedicine', { params: { id: 'm1' } });
  expect([record, etag]).toEqual([{ name: 'Aspirin' }, '"one"']);
  const problem = await problemOf(
    api.call('updateMedicine', { params: { id: 'm1' }, body: { name: 'B' }, ifMatch: etag }),
  );
  expect(problem).toMatchObject({ code: 'changed_meanwhile', status: 412 });
  expect(server.seen[1]?.headers['if-match']).toBe('"one"');
});

test('only what may change something counts as a change of one’s own, also in a table without the method of reads', async () => {
  const { method: _get, ...asBrowsersLoadIt } = clinicCalls.listDoctors;
  addCalls({ listDoctors: asBrowsersLoadIt });
  const note = jest.fn();
  ownChanges.note = note;
  await api.call('listDoctors');
  await api.call('getUser', { params: { email: 'a@clinic.example' } });
  expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'GET']);
  expect(note).not.toHaveBeenCalled();
  await api.call('endSession');
  expect(note).toHaveBeenCalledTimes(1);
  delete ownChanges.note;
  addCalls(clinicCalls);
});

test('throws the server’s problem with its field errors', async () => {
  answer = () =>
    problemAnswer('validation_failed', {
      detail: 'Check again',
      errors: [{ field: 'age', message: 'Age must be positive' }],
    });
  const problem = await problemOf(api.call('listDoctors'));
  expect(problem).toMatchObject({ code: 'validation_failed', status: 400, message: 'Check again' });
  expect(problem.fieldError('age')).toBe('Age must be positive');
  expect(problem.fieldError('name')).toBeUndefined();
});

test.each([
  ['an HTML page of a proxy', { status: 502, text: '<h1>Bad gateway</h1>' }],
  ['an HTML page where JSON was expected', { status: 200, text: '<!doctype html>' }],
  ['JSON that is no problem of ours', { status: 500, json: { error: 'oops' } }],
] as const)('reports unavailable on %s', async (_, page) => {
  answer = () => page;
  expect(await problemOf(api.call('listDoctors'))).toMatchObject({ code: 'unavailable' });
});

test('times out', async () => {
  answer = () => 'never';
  const hasty = createApi({ baseUrl: server.url, timeout: 100, refresh: () => refresh() });
  expect(await problemOf(hasty.call('listDoctors'))).toMatchObject({ code: 'unavailable' });
});

test('only a failure that came quickly is worth retrying', async () => {
  const patient = createApi({ baseUrl: server.url, timeout: 1_200, refresh: () => refresh() });
  answer = () => problemAnswer('unavailable');
  expect(isWorthRetrying(await problemOf(patient.call('listDoctors')))).toBe(true);
  answer = () => 'never';
  expect(isWorthRetrying(await problemOf(patient.call('listDoctors')))).toBe(false);
  answer = () => problemAnswer('not_found');
  expect(isWorthRetrying(await problemOf(patient.call('listDoctors')))).toBe(false);
});

test('reports unavailable if nobody listens', async () => {
  await server.close();
  expect(await problemOf(api.call('listDoctors'))).toMatchObject({ code: 'unavailable' });
});

test('rejects with the caller’s reason if the caller aborts', async () => {
  answer = () => 'never';
  const giveUp = new AbortController();
  const call = api.call('listDoctors', { signal: giveUp.signal });
  giveUp.abort(new Error('no longer needed'));
  await expect(call).rejects.toThrow('no longer needed');
});

test('returns nothing for 204', async () => {
  answer = () => ({ status: 204 });
  expect(await api.call('endSession')).toBeUndefined();
});

test('reads the next cursor and the total of a page', async () => {
  answer = () => ({
    json: [{ _id: '1' }],
    headers: { link: '</users?limit=1&cursor=a%2Fb%3D>; rel="next"', 'x-total-count': '41' },
  });
  expect(await api.page('listUsers', { query: { limit: 1 } })).toEqual({
    rows: [{ _id: '1' }],
    total: 41,
    next: 'a/b=',
  });
  answer = () => ({ json: [] });
  expect(await api.page('listUsers')).toEqual({ rows: [], total: 0, next: undefined });
  answer = () => ({ json: [], headers: { 'x-total-count': '5000', 'x-total-count-relation': 'gte' } });
  expect((await api.page('listUsers')).total).toBeUndefined();
});

describe('an outdated session', () => {
  let valid: boolean;
  beforeEach(() => {
    valid = false;
    answer = () => (valid ? { json: [] } : problemAnswer('session_stale'));
    refresh.mockImplementation(() => {
      valid = true;
      return Promise.resolve(true);
    });
  });

  test('is refreshed and the call repeated, without the caller noticing', async () => {
    expect(await api.call('listUsers')).toEqual([]);
    expect(server.seen).toHaveLength(2);
  });

  test('isn’t refreshed again for a call that was in flight meanwhile', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    let slow = true;
    answer = async ({ url }) => {
      if (url === '/appoinments' && slow) {
        slow = false;
        await held;
        return problemAnswer('session_stale');
      }
      return valid ? { json: [] } : problemAnswer('session_stale');
    };
    const late = api.call('listAppointments');
    await api.call('listUsers');
    letGo();
    expect(await late).toEqual([]);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  test('stays the caller’s problem if refreshing doesn’t help', async () => {
    refresh.mockResolvedValue(false);
    expect(await problemOf(api.call('listUsers'))).toMatchObject({ code: 'session_stale' });
    expect(server.seen).toHaveLength(1);
  });

  test('is tried once, not forever', async () => {
    refresh.mockResolvedValue(true);
    expect(await problemOf(api.call('listUsers'))).toMatchObject({ code: 'session_stale' });
    expect(server.seen).toHaveLength(2);
  });

  test('doesn’t concern the session’s own calls', async () => {
    expect(await problemOf(api.call('getSession'))).toMatchObject({ code: 'session_stale' });
    expect(refresh).not.toHaveBeenCalled();
  });
});

test('takes the response that the page’s starter has asked for, once, and asks itself if that failed', async () => {
  const made = new Response('[{"name":"Amina"}]', { headers: { 'x-total-count': '1' } });
  globalThis.clinicAnswers = new Map<string, Promise<Response | undefined>>([
    [`${server.url}/doctors?limit=6`, Promise.resolve(made)],
    [`${server.url}/medicine`, Promise.resolve(undefined)],
  ]);
  const page = () => api.page('listDoctors', { query: { limit: 6 } });
  expect(await page()).toMatchObject({ rows: [{ name: 'Amina' }], total: 1 });
  expect(server.seen).toHaveLength(0);
  expect(await page()).toMatchObject({ rows: [] });
  expect(await api.call('listMedicines')).toEqual([]);
  expect(server.seen.map(({ url }) => url)).toEqual(['/doctors?limit=6', '/medicine']);
});
