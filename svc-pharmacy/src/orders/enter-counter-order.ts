import type { ParsedBody } from '@clinic/contracts';
import { isNobodysEmail } from '@clinic/contracts/erased-person';
import { isSameName } from '@clinic/contracts/same-name';
import {
  ProblemError,
  readPerson,
  readStanding,
  rejected,
  takeUserLockFor,
  type RecordOwner,
} from '@clinic/service-kit';
import type { PharmacyChange } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';
import { collectedAtCounter, type OrderRecord } from './order-record.ts';
import { placeOrder } from './place-order.ts';

/**
 * Enters an order for a patient who has shown a prescription at the counter. It belongs to the patient's account, if there is
 * one with that confirmed address, and has no customer's limits.
 *
 * @param account - of the customer's address: its owner, and whether it's in another name that nobody has asked about
 * @returns the order, `pending`
 * @throws ProblemError `validation_failed` for a prescription of a later day, or a name to ask about; `not_found` if the account is being deleted;
 *   `stock_short`; `price_changed`
 */
export async function enterCounterOrder(
  context: Pick<PharmacyContext, 'db' | 'settings'>,
  change: PharmacyChange,
  { prescription, deliveryAddress, otherName: _asked, ...requested }: ParsedBody<'enterCounterOrder'>,
  { ownerOf, isUnasked }: { readonly ownerOf: RecordOwner; readonly isUnasked: boolean },
): Promise<OrderRecord> {
  if (prescription.date > change.today)
    throw rejected('prescription.date', 'A prescription can’t be of a later day than today', {
      detail: 'Check the date of the prescription.',
    });
  // Stands for somebody's who has none, in the clinic: no deletion would find the order.
  if (isNobodysEmail(requested.customeremail)) throw rejected('customeremail', 'This isn’t somebody’s email address');
  if (isUnasked)
    throw rejected('otherName', 'This is an account in another name', {
      detail: 'Ask the patient whose email address it is.',
    });
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

/** Whether an account has this address, confirmed or not, whose name isn't the patient's. Staff aren't told whose it is. */
export async function isInAnotherName(
  identity: Pick<PharmacyContext, 'settings' | 'stopping'>,
  { customeremail, recipientName }: Pick<ParsedBody<'enterCounterOrder'>, 'customeremail' | 'recipientName'>,
): Promise<boolean> {
  const { id } = await readPerson(identity, { email: customeremail });
  const name = id === undefined ? undefined : (await readStanding(identity, id)).name;
  return name !== undefined && !isSameName(name, recipientName);
}
