import type { ParsedBody } from '@clinic/contracts';
import { isNobodysEmail } from '@clinic/contracts/erased-person';
import { ProblemError, takeUserLockFor, type RecordOwner, rejected } from '@clinic/service-kit';
import type { PharmacyChange } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';
import { collectedAtCounter, type OrderRecord } from './order-record.ts';
import { placeOrder } from './place-order.ts';

/**
 * Enters an order for a patient who has shown a prescription at the counter. It belongs to the patient's account, if there is
 * one with that confirmed address, and has no customer's limits.
 *
 * @param ownerOf - of the customer's address
 * @returns the order, `pending`
 * @throws ProblemError `validation_failed` for a prescription of a later day; `not_found` if the account is being deleted;
 *   `stock_short`; `price_changed`
 */
export async function enterCounterOrder(
  context: Pick<PharmacyContext, 'db' | 'settings'>,
  change: PharmacyChange,
  { prescription, deliveryAddress, ...requested }: ParsedBody<'enterCounterOrder'>,
  ownerOf: RecordOwner,
): Promise<OrderRecord> {
  if (prescription.date > change.today)
    throw rejected('prescription.date', 'A prescription can’t be of a later day than today', {
      detail: 'Check the date of the prescription.',
    });
  // Stands for somebody's who has none, in the clinic: no deletion would find the order.
  if (isNobodysEmail(requested.customeremail)) throw rejected('customeremail', 'This isn’t somebody’s email address');
  const id = await ownerOf(change.session);
  if (id !== undefined && !(await takeUserLockFor(context, change.session, id)))
    throw new ProblemError('not_found', { detail: 'This person’s account has been deleted.' });
  return placeOrder(change, {
    requested: { ...requested, deliveryAddress: deliveryAddress || collectedAtCounter },
    customerId: id,
    limited: undefined,
    prescription,
    rules: context.settings,
  });
}
