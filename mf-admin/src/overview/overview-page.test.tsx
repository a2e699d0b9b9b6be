import { prepareEnvironment } from '@clinic/app-kit/test-environment';
import { queryClient } from '@clinic/app-kit/host';
import { pretendItIs } from '@clinic/app-kit/test-clock';
import { fireEvent, screen } from '@testing-library/react';
import { openScreen } from '../testing/open-screen.tsx';

beforeAll(prepareEnvironment);
beforeEach(() => queryClient.clear());
afterEach(() => jest.useRealTimers());

test('a page left open over midnight at the clinic includes the new day', async () => {
  pretendItIs('2026-12-31T17:59:50Z');
  await openScreen('/dash/overview?period=year', () => Response.json([]));
  expect(await screen.findByText('Jan 1, 2026 – Dec 31, 2026')).toBeTruthy();
  jest.setSystemTime(new Date('2026-12-31T18:00:00Z'));
  fireEvent.focus(window);
  expect(await screen.findByText('Jan 1, 2027 – Jan 1, 2027')).toBeTruthy();
});
