import { setTimeout as delay } from 'node:timers/promises';
import type { ContextFor } from '@clinic/service-kit';
import type { settings } from '../settings.ts';
import { findCustomerAccounts } from './customer-accounts.ts';
import { expireOrders } from './expire-orders.ts';

/** Milliseconds between two rounds. */
const every = 60_000;

/** A round looks at orders as young as this, milliseconds: replicas of an earlier release may still write them without an account. */
const lately = 3_600_000;

/** Does what falls due by itself, now and every minute until the service stops. Every replica does it; each order is done once. */
export async function keepHouse(context: ContextFor<typeof settings>): Promise<void> {
  const { db, log, stopping } = context;
  while (!stopping.aborted) {
    try {
      const expired = await expireOrders(context);
      if (expired > 0) log.info({ expired }, 'pending orders expired');
      await findCustomerAccounts(db, new Date(Date.now() - lately));
    } catch (error) {
      if (!stopping.aborted) log.warn({ reason: (error as Error).message }, 'pending orders could not be looked through, will retry');
    }
    // Only the stop interrupts the wait.
    await delay(every, undefined, { signal: stopping }).catch(() => undefined);
  }
}
