import { queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import { prepareEnvironment } from '@clinic/app-kit/test-environment';
import { serveAs } from '@clinic/app-kit/test-gateway';
import { act, render, screen } from '@testing-library/react';
import '../setup.ts';
import { DeletionProgress } from './deletion-panel.tsx';

beforeAll(prepareEnvironment);
afterEach(() => jest.useRealTimers());

test('a deletion is followed until it has finished, and no longer', async () => {
  let asked = 0;
  serveAs(undefined, () => {
    asked += 1;
    const account = { state: 'done' };
    const at = '2026-11-25T11:59:55.000Z';
    return Response.json({ userId: 'a', startedAt: at, services: [], account, ...(asked > 1 && { finishedAt: at }) });
  });
  await session.load();
  jest.useFakeTimers({ advanceTimers: true });
  render(
    <QueryClientProvider client={queryClient}>
      <DeletionProgress id="a" name="Ann Lee" onClose={() => undefined} />
    </QueryClientProvider>,
  );
  expect(await screen.findByText('Ann Lee is deleted', {}, { timeout: 10_000 })).toBeTruthy();
  await act(() => jest.advanceTimersByTimeAsync(5_000));
  expect(asked).toBe(2);
});
