import { z } from 'zod';
import { maxQuantity } from './limits.ts';

/** Decimal notation only: `Number('')` would be 0 and `Number('0x10')` 16. */
const numberText = z
  .string()
  .max(32)
  .regex(/^[+-]?\d+(\.\d*)?([eE][+-]?\d+)?$/);
/** A plain number, or one wrapped as extended JSON; -0 becomes 0. */
const anyNumber = z
  .union([
    z.number(),
    z.object({ $numberInt: numberText }).transform((value) => Number(value.$numberInt)),
    z.object({ $numberDouble: numberText }).transform((value) => Number(value.$numberDouble)),
    z.object({ $numberLong: numberText }).transform((value) => Number(value.$numberLong)),
    z.object({ $numberDecimal: numberText }).transform((value) => Number(value.$numberDecimal)),
    z.unknown().transform(() => Number.NaN),
  ])
  .transform((value) => value + 0);

/** Units in stock. */
export const quantity = anyNumber.pipe(
  z
    .number({ error: 'Quantity must be a number' })
    .int('Quantity must be a whole number')
    .min(0, 'Quantity must be 0 or more')
    .max(maxQuantity, `Quantity must be ${maxQuantity} or less`),
);
/** A decimal amount for one unit. */
export const price = anyNumber.pipe(
  z
    .number({ error: 'Price must be a number' })
    .min(0, 'Price must be 0 or more')
    .max(1_000_000, 'Price must be 1,000,000 or less')
    .multipleOf(0.01, 'Price can have at most two decimal places'),
);
