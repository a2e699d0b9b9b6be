import { muteExpectedLogs } from '@clinic/app-kit/test-environment';
import { useQuery } from '@clinic/app-kit';
import { queryClient, QueryClientProvider } from '@clinic/app-kit/host';
import { act, render } from '@testing-library/react';
import { useFreshCatalogue } from './use-fresh-catalogue.ts';

muteExpectedLogs();
beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Milliseconds after which a request that hangs fails. */
const hangs = 10_000;

test('a list that fails just before a poll shows its error until the next one', async () => {
  let asked = 0;
  const failing = (): Promise<never> => {
    asked += 1;
    return new Promise((_, reject) => setTimeout(() => reject(new Error('hung')), hangs - 1));
  };
  function Catalogue() {
    const { error } = useQuery({ queryKey: ['listMedicines', {}], queryFn: failing, retry: false });
    useFreshCatalogue();
    return error ? <p role="alert">{error.message}</p> : null;
  }
  const { queryByRole } = render(
    <QueryClientProvider client={queryClient}>
      <Catalogue />
    </QueryClientProvider>,
  );
  const pass = (ms: number): Promise<void> => act(() => jest.advanceTimersByTimeAsync(ms));

  await pass(hangs + 1_000);
  expect([asked, queryByRole('alert')?.textContent]).toEqual([1, 'hung']);
  await pass(5_000);
  expect(asked).toBe(2);
});
