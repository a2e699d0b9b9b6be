/** @jest-environment-options { "timeZone": "America/New_York" } */
import { queryClient, QueryClientProvider } from '@clinic/app-kit/host';
import { addDays, clinicMoment } from '@clinic/contracts';
import type { UserReport } from '@clinic/svc-identity/contract/reports';
import { cellsOf } from '@clinic/ui/testing/chart-cells';
import { dayOf, groupsOf, instantsAround, reportCases, type ReportCase } from '@clinic/ui/testing/chart-groups';
import { render } from '@testing-library/react';
import { UserFigures } from './user-figures.tsx';

/** By day, as in the service's response. */
function reportOf({ timeZone, from, to }: ReportCase, all: readonly Date[]): UserReport {
  const byDate = Map.groupBy(all, (at) => clinicMoment(at, timeZone).date);
  const newByDay: UserReport['newByDay'] = [];
  for (let date = from; date <= to; date = addDays(date, 1))
    newByDay.push({ date, count: byDate.get(date)?.length ?? 0 });
  const created = newByDay.reduce((sum, { count }) => sum + count, 0);
  return {
    from,
    to,
    timeZone,
    total: all.length,
    byRole: { admin: 0, doctor: 0, pharmacist: 0, patient: all.length },
    created,
    newByDay,
  };
}

beforeEach(() => queryClient.clear());

test('these tests run in a time zone with clock changes', () => {
  expect([new Date(2026, 6, 1).getTimezoneOffset(), new Date(2026, 0, 1).getTimezoneOffset()]).toEqual([240, 300]);
});

test.each(reportCases)('new users match the users: $name ($timeZone)', async (period) => {
  const created = instantsAround(period);
  globalThis.fetch = async () => Response.json(reportOf(period, created));
  render(
    <QueryClientProvider client={queryClient}>
      <UserFigures from={period.from} to={period.to} />
    </QueryClientProvider>,
  );
  const groups = [...groupsOf(period, created, (at) => dayOf(at, period.timeZone))];
  expect(await cellsOf(`New users by ${period.grain}`)).toEqual(
    groups.map(([name, of]) => [name, of.length.toLocaleString('en')]),
  );
  expect(groups.reduce((sum, [, { length }]) => sum + length, 0)).toBeGreaterThan(20);
});
