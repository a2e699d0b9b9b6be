import { id } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';
import { medicineCategories } from './limits.ts';
import { medicineStatuses } from './transitions.ts';

/** A medicine on the wire: its numbers are canonical extended JSON (docs/product.md, Texts). */
export const medicineSchema = z.object({
  _id: z.object({ $oid: id }),
  pharmacistEmail: z.string(),
  medicine: z.object({
    medicineId: z.string(),
    name: z.string(),
    manufacturer: z.string(),
    quantity: z.object({ $numberInt: z.string() }),
    unit: z.string(),
    /** 'yyyy-mm-dd' */
    expiryDate: z.string(),
    pricePerUnit: z.object({ $numberDouble: z.string() }),
    /** Units one customer may have on order, as set by a pharmacist; absent if the unit's default applies. */
    maxPerCustomer: z.number().optional(),
    /** What it is for; absent if no pharmacist has set it, and in services of earlier releases. */
    category: z.string().optional(),
    /** Sold only at the counter, to somebody with a prescription. */
    prescriptionOnly: z.literal(true).optional(),
  }),
  /** 'yyyy-mm-dd' */
  addedDate: z.string(),
  status: z.enum(medicineStatuses),
  /** No longer in the store; only lists that ask for archived medicines have it. */
  archived: z.literal(true).optional(),
  /** Units one customer may have on order: the medicine's own limit, or the default for its unit. */
  customerLimit: z.number().optional(),
  /** Units that pending orders hold, no longer in `quantity`; only in the answer about a single medicine. */
  held: z.number().optional(),
});
export type Medicine = z.output<typeof medicineSchema>;

export const category = z.enum(medicineCategories, {
  error: `Category must be one of ${medicineCategories.join(', ')}`,
});

/** A request for a message when a medicine is back in stock. */
export const stockRequest = z.object({
  _id: id,
  /** The medicine's `_id`. */
  medicine: id,
  /** ISO instant. */
  askedAt: z.string(),
});
export type StockRequest = z.output<typeof stockRequest>;
