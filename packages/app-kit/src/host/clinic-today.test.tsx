import { act, render, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { clinicToday, useClinicNow, useClinicToday } from './clinic-today.ts';
import { prepareEnvironment } from '../testing/test-environment.ts';

prepareEnvironment();

function Today() {
  return <p data-testid="today">{useClinicToday()}</p>;
}

function Now() {
  const { date, time } = useClinicNow();
  return <p data-testid="now">{`${date} at ${time}`}</p>;
}

const shown = (id: string) => screen.getByTestId(id).textContent;

beforeEach(() => {
  // Half past eleven at night at the clinic, afternoon in Greenwich.
  jest.useFakeTimers({ now: new Date('2026-11-22T17:30:20.500Z') });
});
afterEach(() => jest.useRealTimers());

test('an open page switches to the new day at the clinic’s midnight, and doesn’t render before', () => {
  const drawn = jest.fn();
  render(
    <>
      <Profiler id="today" onRender={drawn}>
        <Today />
      </Profiler>
      <Now />
    </>,
  );
  expect([shown('today'), shown('now'), clinicToday()]).toEqual(['2026-11-22', '2026-11-22 at 23:30', '2026-11-22']);
  act(() => jest.advanceTimersByTime(29 * 60_000 + 39_000));
  expect([shown('today'), shown('now'), drawn.mock.calls.length]).toEqual(['2026-11-22', '2026-11-22 at 23:59', 1]);
  act(() => jest.advanceTimersByTime(500));
  expect([shown('today'), shown('now'), drawn.mock.calls.length, clinicToday()]).toEqual([
    '2026-11-23',
    '2026-11-23 at 00:00',
    2,
    '2026-11-23',
  ]);
});

test.each([
  ['visibilitychange', document],
  ['focus', window],
  ['pageshow', window],
] as const)('a page with suspended timers catches up on %s', (event, target) => {
  render(<Today />);
  jest.setSystemTime(new Date('2026-11-25T06:00:00Z'));
  expect(shown('today')).toBe('2026-11-22');
  act(() => void target.dispatchEvent(new Event(event)));
  expect(shown('today')).toBe('2026-11-25');
});

test('the clock stops once no page uses it', () => {
  const { unmount } = render(
    <>
      <Today />
      <Today />
    </>,
  );
  expect(jest.getTimerCount()).toBe(1);
  unmount();
  expect(jest.getTimerCount()).toBe(0);
});
