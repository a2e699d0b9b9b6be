/** @jest-environment-options { "timeZone": "America/New_York" } */
import { queryClient, QueryClientProvider } from '@clinic/app-kit/host';
import { prepareEnvironment } from '@clinic/app-kit/test-environment';
import { addDays } from '@clinic/contracts';
import type { AppointmentReport } from '@clinic/svc-clinic/contract/reports';
import type { AppointmentStatus } from '@clinic/svc-clinic/contract/transitions';
import { cellsOf } from '@clinic/ui/testing/chart-cells';
import { dayOf, groupsOf, instantsAround, reportCases, type ReportCase } from '@clinic/ui/testing/chart-groups';
import { render } from '@testing-library/react';
import { AppointmentFigures } from './appointment-figures.tsx';

interface RawAppointment {
  /** 'yyyy-mm-dd', as appointments are kept. */
  readonly date: string;
  readonly status: AppointmentStatus;
}

const statuses = ['Pending', 'Confirmed', 'Cancelled'] as const;
const appointmentsOf = (period: ReportCase): RawAppointment[] =>
  instantsAround(period).map((at, index) => ({
    date: dayOf(at, period.timeZone),
    status: statuses[((index * 7) % 5) % 3] ?? 'Pending',
  }));

function countsOf(appointments: readonly RawAppointment[]) {
  const having = (status: AppointmentStatus): number =>
    appointments.filter((appointment) => appointment.status === status).length;
  return {
    total: appointments.length,
    pending: having('Pending'),
    confirmed: having('Confirmed'),
    cancelled: having('Cancelled'),
  };
}

/** By day, as in the service's response. */
function reportOf({ timeZone, from, to }: ReportCase, all: readonly RawAppointment[]): AppointmentReport {
  const byDate = Map.groupBy(all, ({ date }) => date);
  const byDay: AppointmentReport['byDay'] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) byDay.push({ date, ...countsOf(byDate.get(date) ?? []) });
  const { total, ...states } = countsOf(all.filter(({ date }) => date >= from && date <= to));
  return {
    from,
    to,
    timeZone,
    totals: { all: total, ...states },
    byDay,
    bySpecialty: [],
    byDoctor: [],
    cancellations: { count: states.cancelled, rate: states.cancelled / total },
  };
}

beforeAll(prepareEnvironment);
beforeEach(() => queryClient.clear());

test('these tests run in a time zone with clock changes', () => {
  expect([new Date(2026, 6, 1).getTimezoneOffset(), new Date(2026, 0, 1).getTimezoneOffset()]).toEqual([240, 300]);
});

test.each(reportCases)('appointments and cancellations match the appointments: $name ($timeZone)', async (period) => {
  const appointments = appointmentsOf(period);
  globalThis.fetch = async () => Response.json(reportOf(period, appointments));
  render(
    <QueryClientProvider client={queryClient}>
      <AppointmentFigures from={period.from} to={period.to} />
    </QueryClientProvider>,
  );
  const groups = [...groupsOf(period, appointments, ({ date }) => date)].map(
    ([name, of]) => [name, countsOf(of)] as const,
  );
  const numbers = (...values: number[]): string[] => values.map((value) => value.toLocaleString('en'));
  expect(await cellsOf(`Appointments by ${period.grain}`)).toEqual(
    groups.map(([name, of]) => [name, ...numbers(of.total, of.confirmed, of.pending, of.cancelled)]),
  );
  expect(await cellsOf(`Cancellations by ${period.grain}`)).toEqual(
    groups.map(([name, of]) => [name, ...numbers(of.cancelled, of.total)]),
  );
  expect(groups.reduce((sum, [, { total }]) => sum + total, 0)).toBeGreaterThan(20);
});

test('who didn’t come and how long patients waited are shown once somebody notes it', async () => {
  const [period] = reportCases;
  if (!period) throw new Error('there is no case');
  const texts = async (attendance: AppointmentReport['attendance']) => {
    queryClient.clear();
    globalThis.fetch = async () =>
      Response.json({ ...reportOf(period, appointmentsOf(period)), ...(attendance && { attendance }) });
    const { container, findAllByText, unmount } = render(
      <QueryClientProvider client={queryClient}>
        <AppointmentFigures from={period.from} to={period.to} />
      </QueryClientProvider>,
    );
    await findAllByText('Confirmed');
    const { textContent } = container;
    unmount();
    return textContent;
  };
  const noted = await texts({ seen: 9, missed: 1, waiting: { median: 7, ninetieth: 25 } });
  expect(noted).toContain('10% of those noted');
  expect(noted).toContain('7 min');
  expect(noted).toContain('9 of 10 no longer than 25 min');
  expect(await texts({ seen: 0, missed: 0 })).not.toContain('Didn’t come');
  expect(await texts(undefined)).not.toContain('Didn’t come');
});
