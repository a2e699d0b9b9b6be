import { startTracing } from './start-tracing.ts';

interface Sent {
  readonly address: string;
  readonly traceparent: string | null;
  readonly body: unknown;
}

const sent: Sent[] = [];
const call = (path: string): Promise<Response> => fetch(path, { headers: { 'x-request-id': 'one', accept: 'x' } });
const reports = (): unknown[] => sent.filter(({ address }) => address === '/page-traces').map(({ body }) => body);
const traces = (): (string | null)[] =>
  sent.filter(({ address }) => address !== '/page-traces').map(({ traceparent }) => traceparent);

beforeAll(() => {
  globalThis.fetch = async (input, init) => {
    const { headers, body } = init ?? {};
    const traceparent = new Headers(headers).get('traceparent');
    sent.push({ address: input as string, traceparent, body: typeof body === 'string' ? JSON.parse(body) : undefined });
    if (input === '/broken') throw new TypeError('no connection');
    return new Response(null, { status: 204 });
  };
  startTracing(window);
});
beforeEach(() => {
  jest.useFakeTimers();
  // Ends the interactions of earlier tests.
  jest.advanceTimersByTime(2_000);
  sent.length = 0;
});
afterEach(() => jest.useRealTimers());

test('calls after a click carry its trace, and the gateway hears of them once nothing follows', async () => {
  document.body.click();
  await call('/appoinments?email=ann@mail.example');
  await jest.advanceTimersByTimeAsync(600);
  await expect(call('/broken')).rejects.toThrow('no connection');
  await jest.advanceTimersByTimeAsync(999);
  expect(reports()).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  const [report] = reports() as { traceId: string; calls: { spanId: string }[] }[];
  expect(report).toMatchObject({ kind: 'click', page: '/', startedMsAgo: 1600, ms: 600 });
  expect(report?.calls).toEqual([
    {
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      method: 'GET',
      path: '/appoinments',
      startedMsAgo: 1600,
      ms: 0,
      status: 204,
    },
    { spanId: expect.stringMatching(/^[0-9a-f]{16}$/), method: 'GET', path: '/broken', startedMsAgo: 1000, ms: 0 },
  ]);
  expect(traces()).toEqual(report?.calls.map(({ spanId }) => `00-${report.traceId}-${spanId}-01`));
  await jest.advanceTimersByTimeAsync(10_000);
  expect(reports()).toHaveLength(1);
});

test('a form’s button is a submit; the next click begins another trace', async () => {
  document.body.click();
  document.body.dispatchEvent(new Event('submit', { bubbles: true }));
  await call('/one');
  document.body.click();
  await call('/two');
  window.dispatchEvent(new Event('pagehide'));
  expect(reports()).toMatchObject([
    { kind: 'submit', calls: [{ path: '/one' }] },
    { kind: 'click', calls: [{ path: '/two' }] },
  ]);
  const [one, two] = traces();
  expect(one?.slice(0, 35)).not.toBe(two?.slice(0, 35));
});

test('calls that nobody caused, other origins and files have no trace', async () => {
  await call('/poll');
  document.body.click();
  await call('https://elsewhere.example/');
  await fetch('/shell/file.js');
  await jest.advanceTimersByTimeAsync(1_000);
  await call('/poll');
  expect(traces()).toEqual([null, null, null, null]);
  expect(reports()).toEqual([]);
});
