import {
  defineService,
  fillDerivedFields,
  historyCarriesAccounts,
  keepDerivedFields,
  keepRollupsInBackground,
  listEvents,
  type ServiceContext,
} from '@clinic/service-kit';
import { followAddress, joinOrders, schemaChanges } from './accounts/customer-accounts.ts';
import { customersOfEvents, medicinesCarryAccounts } from './accounts/accounts-of-history.ts';
import { backInStockHandlers } from './back-in-stock/back-in-stock-handlers.ts';
import { collectionsOf } from './collections.ts';
import { pharmacyCalls } from './contract/calls.ts';
import { fieldsOnTheWire } from './history/history-view.ts';
import { indexes } from './indexes.ts';
import { alignStatuses } from './medicines/align-statuses.ts';
import { medicineHandlers } from './medicines/medicine-handlers.ts';
import { addMessageRoutes } from './messages/message-routes.ts';
import { stockHandlers } from './medicines/stock-handlers.ts';
import { openStockLedger, stockLedger } from './medicines/stock-ledger.ts';
import { counterHandlers } from './orders/counter-handlers.ts';
import { KeyedLocks } from './orders/keyed-locks.ts';
import { orderHandlers } from './orders/order-handlers.ts';
import { runPeriodicJobs } from './orders/periodic-jobs.ts';
import { erasePerson } from './personal-data/erase-person.ts';
import { personalDataHandlers } from './personal-data/personal-data-handlers.ts';
import { orderRollupPlan } from './reports/keep-order-rollups.ts';
import { reportHandlers } from './reports/report-handlers.ts';
import { retention } from './retention.ts';
import { findBySearchKeys, searchFields } from './search-keys.ts';
import { settings } from './settings.ts';

const searched = ({ settings }: Pick<ServiceContext, 'settings'>) => searchFields(settings.CLINIC_COUNTRY);

/** The pharmacy service: medicines, their stock, and orders (paths `/medicine` and `/orderMedi`). */
export const pharmacyService = defineService({
  name: 'pharmacy',
  calls: pharmacyCalls,
  settings,
  indexes,
  schemaChanges: [
    ...schemaChanges,
    findBySearchKeys(2),
    fillDerivedFields(3, 'medicines are found by parts of their names', searched),
    historyCarriesAccounts(4, customersOfEvents),
    medicinesCarryAccounts(5),
    openStockLedger(6),
    fillDerivedFields(7, 'records are found without accents, and by phone numbers however they are typed', searched),
  ],
  joinRecords: joinOrders,
  onAccount: followAddress,
  erase: (context) => (deletion, until) => erasePerson(context, deletion, until),
  retention,
  outbox: true,
  internalRoutes: addMessageRoutes,
  handlers: (context) => {
    // By medicine, shared by all that change stock.
    const locks = new KeyedLocks();
    return {
      ...medicineHandlers(context, locks),
      ...stockHandlers(context, locks),
      ...backInStockHandlers(context),
      ...orderHandlers(context, locks),
      ...counterHandlers(context, locks),
      ...reportHandlers(context),
      ...personalDataHandlers(context),
      listPharmacyEvents: ({ query }) => listEvents(context, query, { map: fieldsOnTheWire }),
    };
  },
  onStart: async (context) => {
    if (context.settings.DEMO_MODE) await (await import('./demo/seed-demo.ts')).seedDemo(context);
    const changed = await alignStatuses(collectionsOf(context.db), context.settings.LOW_STOCK_BELOW);
    if (changed > 0)
      context.log.info(
        { changed, lowStockBelow: context.settings.LOW_STOCK_BELOW },
        'stock statuses updated for the new limit',
      );
    keepRollupsInBackground(context, orderRollupPlan(context));
    keepDerivedFields(context, [...searched(context), stockLedger(context)]);
    runPeriodicJobs(context);
  },
});
