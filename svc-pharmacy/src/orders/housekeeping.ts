import { setTimeout as delay } from 'node:timers/promises';
import type { ContextFor } from '@clinic/service-kit';
import type { settings } from '../settings.ts';
import { findCustomerAccounts } from './customer-accounts.ts';
import { expireOrders } from './expire-orders.ts';

/** Milliseconds between two runs. */
const every = 60_000;

/** Age limit, in milliseconds, of the orders checked for a missing account: replicas of an earlier release may still write some. */
const lately = 3_600_000;

/** Periodic jobs, now and every minute until the service stops. Every replica runs them; each order is processed once. */
export async function keepHouse(context: ContextFor<typeof settings>): Promise<void> {
  const { db, log, stopping } = context;
  while (!stopping.aborted) {
    try {
      const expired = await expireOrders(context);
      if (expired > 0) log.info({ expired }, 'pending orders expired');
      await findCustomerAccounts(db, new Date(Date.now() - lately));
    } catch (error) {
      if (!stopping.aborted) log.warn({ reason: (error as Error).message }, 'pending order check failed, will retry');
    }
    // Only shutdown interrupts the wait.
    await delay(every, undefined, { signal: stopping }).catch(() => undefined);
  }
}
