import { setTimeout as delay } from 'node:timers/promises';
import type { PharmacyContext } from '../settings.ts';
import { findCustomerAccounts } from '../accounts/customer-accounts.ts';
import { expireOrders } from './expire-orders.ts';

/** Milliseconds between two runs. */
const every = 60_000;

/** Age limit, in milliseconds, of the orders checked for a missing account: replicas of an earlier release may still write some. */
const lately = 3_600_000;

/**
 * Runs the periodic jobs now and every minute until the service stops. Every replica runs them; each order is processed
 * once.
 */
export async function runPeriodicJobs(context: PharmacyContext): Promise<void> {
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
