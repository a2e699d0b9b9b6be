import { clinicCalls } from '@clinic/svc-clinic/contract';
import { addCalls } from '../api/call-table.ts';
import { problemResponse, serveAs } from '../testing/test-gateway.ts';
import { prepareEnvironment } from '../testing/test-environment.ts';
import { ann } from '../testing/session-users.ts';
import { api, queryClient, session } from './app.ts';

beforeAll(prepareEnvironment);
const logged = jest.spyOn(console, 'error').mockReturnValue();
beforeEach(() => logged.mockClear());

/** Loads something as pages do. @returns the code of its rejection */
async function rejectionOf(): Promise<unknown> {
  const load = queryClient.fetchQuery({
    queryKey: ['listSessions'],
    queryFn: () => api.call('listSessions', { params: { email: ann.email } }),
    retry: false,
  });
  return load.then(
    () => undefined,
    ({ code }: { readonly code?: unknown }) => code,
  );
}

test('what fails to load is logged, but not what a page still asks for after the session has ended elsewhere', async () => {
  let problem = problemResponse('internal', 500);
  serveAs(ann, () => problem.clone());
  await session.load();
  expect(await rejectionOf()).toBe('internal');
  problem = problemResponse('session_ended', 401);
  // Its end cancels what is in flight.
  expect([await rejectionOf(), session.get().ended]).toEqual([undefined, 'everywhere']);
  expect(await rejectionOf()).toBe('session_ended');
  expect(logged.mock.calls.map(([, , error]) => (error as { readonly code: unknown }).code)).toEqual(['internal']);
});

test('a change of user drops personal answers and keeps public ones, also while they load', async () => {
  addCalls({ listDoctors: clinicCalls.listDoctors });
  serveAs(ann, () => new Response(null, { status: 204 }));
  await session.load();
  queryClient.setQueryData(['listOrders', {}], []);
  const { promise, resolve } = Promise.withResolvers<string>();
  const doctors = queryClient.fetchQuery({ queryKey: ['listDoctors', {}], queryFn: () => promise });
  await session.logout();
  resolve('Dr. Akter');
  expect(await doctors).toBe('Dr. Akter');
  expect(queryClient.getQueryData(['listOrders', {}])).toBeUndefined();
  expect(queryClient.getQueryData(['listDoctors', {}])).toBe('Dr. Akter');
});
