import { z } from 'zod';
import { adjustReasons, maxAdjustment } from './stock-reasons.ts';
import { asSeen, id, optionalText, paging, role } from '@clinic/contracts/schemas/fields';
import { count } from '@clinic/contracts/schemas/report-period';

/** A change of a medicine's quantity. */
export const movement = z.object({
  _id: id,
  /** ISO instant. */
  at: z.string(),
  /** Units, negative if they left the stock. */
  by: z.number(),
  /** Units in stock afterwards. */
  quantity: z.number(),
  /** One of `movementReasons`; a later release may know more. */
  reason: z.string(),
  /** What a pharmacist wrote about it. */
  note: z.string().optional(),
  /** The order that caused it. */
  order: id.optional(),
  /** Who did it; email for staff whose address is known, absent if the system itself did it. */
  actor: z.object({ role, email: z.string().optional() }).optional(),
});
export type Movement = z.output<typeof movement>;

export const adjustment = z
  .object({
    /** Units to add, or to take if negative. */
    by: z
      .number({ error: 'Enter a number' })
      .int('Enter a whole number')
      .min(-maxAdjustment, `Enter -${maxAdjustment} or more`)
      .max(maxAdjustment, `Enter ${maxAdjustment} or less`)
      .refine((by) => by !== 0, 'Enter how many more or fewer there are'),
    reason: z.enum(adjustReasons, { error: `Reason must be one of ${adjustReasons.join(', ')}` }),
    note: optionalText('Note').optional(),
    /**
     * What was expected on the shelf, with the units that pending orders hold, when `by` was worked out from a count: if it has
     * changed since, the adjustment is rejected.
     */
    seen: asSeen(z.object({ onShelf: z.number({ error: 'Enter a number' }) })),
  })
  .refine(({ reason, note }) => reason !== 'other' || Boolean(note), {
    path: ['note'],
    message: 'Say what happened',
  });

/** A medicine whose quantity isn't the sum of its movements. */
const difference = z.object({
  _id: id,
  medicineId: z.string(),
  name: z.string(),
  quantity: z.number(),
  /** Sum of its movements. */
  moved: z.number(),
});

/** At most `stockCheckNames` are named. */
export const stockCheck = z.object({ medicines: count, different: count, first: z.array(difference) });
export type StockCheck = z.output<typeof stockCheck>;

export const movementList = {
  params: z.object({ id }),
  query: z.object({ limit: paging.limit, cursor: paging.cursor, sort: paging.sort }),
  response: z.array(movement),
};
