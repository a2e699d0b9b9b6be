import { measureReports as measureAppointments } from '../../../svc-clinic/bench/reports.ts';
import { measureReports as measureOrders } from '../../../svc-pharmacy/bench/reports.ts';
import type { Area } from '../support/area.ts';
import { reportBudget } from '../support/report-measurements.ts';
import { limited } from '../support/results.ts';

export const reports: Area = {
  name: 'reports',
  title: 'The overview’s reports',
  within: 240,
  async run({ effort }) {
    const records = effort < 1 ? 10_000 : 100_000;
    const measured = [...(await measureAppointments(records)), ...(await measureOrders(records))];
    return {
      how: `With ${records.toLocaleString('en')} appointments and ${records.toLocaleString('en')} orders on the embedded engine, best of some.`,
      rows: measured.map(({ what, milliseconds }) => {
        // A full recount runs only once, when an update has changed how it is counted.
        if (what.startsWith('counting')) return { what, ours: { value: milliseconds, unit: 'ms' } };
        return { ...limited(what, milliseconds, 'ms', reportBudget), chart: what.includes('year') ? what : undefined };
      }),
    };
  },
};
