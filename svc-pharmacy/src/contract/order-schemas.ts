import { z } from 'zod';
import { email, id, isoDate, optionalLines, optionalText, phone, text } from '@clinic/contracts/schemas/fields';
import { price } from './figures.ts';
import { maxLineQuantity, maxOrderLines } from './limits.ts';
import { orderStatuses } from './transitions.ts';

export const orderStatus = z.enum(orderStatuses, { error: `Status must be one of ${orderStatuses.join(', ')}` });

export const orderItem = z.object({
  medicineId: z.string(),
  name: z.string(),
  manufacturer: z.string(),
  quantity: z.number(),
  unit: z.string(),
  /** Decimal amount, from the pharmacy's own records at the time of the order. */
  pricePerUnit: z.number(),
  expiryDate: z.string(),
});
export type OrderItem = z.output<typeof orderItem>;

/** What a pharmacist was shown at the counter. */
export const prescription = z.object({
  /** 'yyyy-mm-dd', the day it was written. */
  date: z.string(),
  /** Who wrote it. */
  prescriber: z.string(),
});
export type Prescription = z.output<typeof prescription>;

export const order = z.object({
  _id: id,
  items: z.array(orderItem),
  /** ISO instant. */
  orderDate: z.string(),
  status: orderStatus,
  deliveryAddress: z.string(),
  customeremail: z.string(),
  customerPhone: z.string(),
  /** Who gets the parcel; absent in orders of earlier releases, and if nobody has said it. */
  recipientName: z.string().optional(),
  /** The prescription with which it was entered at the counter. */
  prescription: prescription.optional(),
  /** Nobody delivers it: the patient collects it at the counter. Absent otherwise. */
  collected: z.literal(true).optional(),
  /**
   * ISO instant at which an order that is still pending is cancelled and its stock returned. Only while it is pending.
   */
  heldUntil: z.string().optional(),
  /** Takes a large part of one customer's limit, so staff should check it before packing. Absent otherwise. */
  unusual: z.literal(true).optional(),
});
export type Order = z.output<typeof order>;

/** Lines of the same medicine are merged and share the limit of one line. */
function rejectLargeSums(
  items: readonly { readonly medicineId: string; readonly quantity: number }[],
  context: z.RefinementCtx,
): void {
  const sums = new Map<string, number>();
  for (const [index, { medicineId, quantity: units }] of items.entries()) {
    const before = sums.get(medicineId) ?? 0;
    sums.set(medicineId, before + units);
    if (before > 0 && before <= maxLineQuantity && before + units > maxLineQuantity) {
      context.addIssue({
        code: 'custom',
        path: [index, 'quantity'],
        message: `Quantity must be ${maxLineQuantity} or less for one medicine, across all its lines`,
      });
    }
  }
}

/** Who gets the parcel. Without it, or if it is empty, the name of the customer's account is used. */
export const recipientName = optionalText('Recipient’s name').optional();

/** The lines of an order request. */
export const orderedItems = z
  .array(
    z.object({
      medicineId: text('Medicine id'),
      quantity: z
        .number({ error: 'Quantity must be a number' })
        .int('Quantity must be a whole number')
        .min(1, 'Quantity must be 1 or more')
        .max(maxLineQuantity, `Quantity must be ${maxLineQuantity} or less`),
      /**
       * The price that the customer saw. The order is rejected if the medicine's price has changed since; without
       * it, the current price applies.
       */
      pricePerUnit: price.optional(),
    }),
    { error: 'Add at least one medicine to your cart' },
  )
  .min(1, 'Add at least one medicine to your cart')
  .max(maxOrderLines, `An order can have at most ${maxOrderLines} lines`)
  .superRefine(rejectLargeSums);

/** An order that staff enter for a patient who is at the counter with a prescription. */
export const counterOrder = z.object({
  items: orderedItems,
  prescription: z.object({ date: isoDate('Date of the prescription'), prescriber: text('Prescriber') }),
  recipientName: text('Patient’s name'),
  /** The order belongs to the account that has confirmed this address, or joins the one that does so later. */
  customeremail: email,
  /**
   * Whether staff have asked the patient about an account in another name, as a relative's: `false` rejects the order if the
   * address has one, since a mistyped address is a stranger's. Earlier front-ends don't say it.
   */
  otherName: z.boolean({ error: 'Other name must be true or false' }).optional(),
  customerPhone: phone,
  /** Empty or absent: collected at the counter. */
  deliveryAddress: optionalLines('Address').optional(),
});
