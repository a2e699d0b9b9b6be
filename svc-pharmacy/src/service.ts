import { defineService, seedDemoOnce } from '@clinic/service-kit';
import { seedDemo } from './demo/seed-demo.ts';
import { handlers } from './handlers.ts';
import { indexes } from './indexes.ts';
import { alignStatuses } from './medicines/align-statuses.ts';
import { settings } from './settings.ts';
import { storesOf } from './stores.ts';

/** The pharmacy service: medicines, their stock, and orders (paths `/medicine` and `/orderMedi`). */
export const pharmacyService = defineService({
  name: 'pharmacy',
  settings,
  indexes,
  handlers,
  onStart: async (context) => {
    await seedDemoOnce(context, (session) => seedDemo(context.db, session, new Date(), context.settings));
    const changed = await alignStatuses(storesOf(context.db), context.settings.LOW_STOCK_BELOW);
    if (changed > 0) context.log.info({ changed, lowStockBelow: context.settings.LOW_STOCK_BELOW }, 'stock statuses follow the new limit');
  },
});
