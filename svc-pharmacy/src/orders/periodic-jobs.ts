import { BackgroundLoop } from '@clinic/service-kit';
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
export function runPeriodicJobs(context: PharmacyContext): void {
  const work = async (): Promise<void> => {
    const expired = await expireOrders(context);
    if (expired > 0) context.log.info({ expired }, 'pending orders expired');
    await findCustomerAccounts(context.db, new Date(Date.now() - lately));
  };
  void new BackgroundLoop(context, { what: 'check of pending orders', work, every }).run();
}
