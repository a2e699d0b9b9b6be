import { reportPeriod, type Handler } from '@clinic/service-kit';
import { collectionsOf } from '../collections.ts';
import { clinicToday } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';
import { orderReport } from './report-orders.ts';
import { stockReport } from './report-stock.ts';

/** Handlers of the reports. Each reads one snapshot, so that its parts add up despite concurrent orders. */
export function reportHandlers(context: PharmacyContext) {
  const collections = collectionsOf(context.db);
  const { CLINIC_TZ: timeZone } = context.settings;
  const reportOrders: Handler<'reportOrders'> = ({ query }) => {
    const period = reportPeriod(query, timeZone);
    return context.inTransaction((session) => orderReport(collections, period, session));
  };
  const reportStock: Handler<'reportStock'> = () =>
    context.inTransaction((session) => stockReport(collections, clinicToday(context), timeZone, session));
  return { reportOrders, reportStock };
}
