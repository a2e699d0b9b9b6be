import { queryClient, QueryClientProvider } from '@clinic/app-kit/host';
import { muteExpectedLogs, prepareEnvironment } from '@clinic/app-kit/test-environment';
import { cellsOf } from '@clinic/ui/testing/chart-cells';
import { render, screen } from '@testing-library/react';
import '../setup.ts';
import type { MessageFigures as Report } from '../calls.ts';
import { MessageFigures } from './message-figures.tsx';

beforeAll(prepareEnvironment);
muteExpectedLogs();

const report: Report = {
  from: '2026-11-22',
  to: '2026-11-23',
  timeZone: 'Asia/Dhaka',
  days: [
    { day: '2026-11-22', kind: 'order-placed', sent: 3, failed: 0, suppressed: 1, pending: 0 },
    { day: '2026-11-22', kind: 'appointment-booked', sent: 4, failed: 1, suppressed: 0, pending: 0 },
    { day: '2026-11-23', kind: 'appointment-booked', sent: 2, failed: 0, suppressed: 0, pending: 5 },
  ],
  oldestDue: '2026-11-23T04:00:00.000Z',
  failed: 7,
};

function show(answer: () => Response): void {
  queryClient.clear();
  globalThis.fetch = async () => answer();
  render(
    <QueryClientProvider client={queryClient}>
      <MessageFigures from="2026-11-22" to="2026-11-23" />
    </QueryClientProvider>,
  );
}

test('messages by day and by kind match the report', async () => {
  show(() => Response.json(report));
  expect(await cellsOf('Messages by day')).toEqual([
    ['Sun, Nov 22, 2026', '7', '0', '1', '1'],
    ['Mon, Nov 23, 2026', '2', '5', '0', '0'],
  ]);
  expect(await cellsOf('Messages by kind')).toEqual([
    ['Appointment booked', '6', '5', '1', '0'],
    ['Order placed', '3', '0', '0', '1'],
  ]);
  expect(screen.getByText(/^due since/)).toBeTruthy();
});

test('says that a period has no messages', async () => {
  show(() => Response.json({ ...report, days: [], failed: 0 }));
  expect(await screen.findAllByText('There were no messages in this period.')).toHaveLength(2);
});

test('figures that can’t be loaded say so', async () => {
  show(() => Response.json({ type: '/problems/internal', title: 'x', status: 500, code: 'internal' }, { status: 500 }));
  await screen.findByText('Messages can’t be shown right now');
});
