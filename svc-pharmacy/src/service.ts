import { defineService, seedDemoOnce } from '@clinic/service-kit';
import { seedDemo } from './demo/seed-demo.ts';
import { handlers } from './handlers.ts';
import { indexes } from './indexes.ts';
import { alignStatuses } from './medicines/align-statuses.ts';
import { alignOrderNumbers } from './orders/align-numbers.ts';
import { joinOrders, schemaChanges } from './orders/customer-accounts.ts';
import { keepHouse } from './orders/housekeeping.ts';
import { keepOrderRollups } from './reports/keep-order-tallies.ts';
import { retention } from './retention.ts';
import { findBySearchKeys } from './search-keys.ts';
import { settings } from './settings.ts';
import { storesOf } from './stores.ts';

/** The pharmacy service: medicines, their stock, and orders (paths `/medicine` and `/orderMedi`). */
export const pharmacyService = defineService({
  name: 'pharmacy',
  settings,
  indexes,
  schemaChanges: [...schemaChanges, findBySearchKeys(2)],
  joinRecords: joinOrders,
  retention,
  handlers,
  onStart: async (context) => {
    await seedDemoOnce(context, (session) => seedDemo(context.db, session, new Date(), context.settings));
    const stores = storesOf(context.db);
    const changed = await alignStatuses(stores, context.settings.LOW_STOCK_BELOW);
    if (changed > 0)
      context.log.info(
        { changed, lowStockBelow: context.settings.LOW_STOCK_BELOW },
        'stock statuses updated for the new limit',
      );
    const numbered = await alignOrderNumbers(stores);
    if (numbered > 0) context.log.info({ numbered }, 'orders numbered');
    const months = await keepOrderRollups(context);
    if (months > 0) context.log.info({ months }, 'order rollups rebuilt');
    void keepHouse(context);
  },
});
