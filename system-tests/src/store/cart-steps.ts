import fc from 'fast-check';

const medicine = fc.nat(2);
const customer = fc.nat(1);
/** Something that staff, customers or time do. */
const step = fc.oneof(
  fc.record({ do: fc.constant('reprice' as const), medicine, minor: fc.constantFrom<number>(0, 1, 200, 250, 20_000) }),
  fc.record({ do: fc.constant('restock' as const), medicine, units: fc.integer({ min: 1, max: 15 }) }),
  fc.record({ do: fc.constant('limit' as const), medicine, units: fc.constantFrom(null, 1, 3, 12) }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), customer, medicine }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('quantity' as const),
      customer,
      medicine,
      units: fc.integer({ min: 1, max: 14 }),
    }),
  },
  fc.record({ do: fc.constant('remove' as const), customer, medicine }),
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('look' as const, 'accept' as const), customer }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('order' as const), customer, lost: fc.boolean() }) },
  // Written by hand, as random steps hardly ever produce it: the answer is lost, the price changes, the customer
  // accepts it and retries.
  fc.record({ do: fc.constant('order again' as const), customer, medicine, minor: fc.constantFrom<number>(100, 300) }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('Cancelled' as const, 'Shipped' as const, 'Delivered' as const, 'expire' as const),
      order: fc.nat(4),
    }),
  },
);
export type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

export const steps = fc.array(step, { minLength: 6, maxLength: 30 });
export const stocks = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 3, maxLength: 3 });
