import { test } from 'node:test';
import { assertHandedOver, handOverParts } from '@clinic/service-kit/testing/hand-overs';
import fc from 'fast-check';
import { ObjectId } from 'mongodb';
import type { Order } from '../contract/order-schemas.ts';
import { sharedPharmacy } from '../testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();
const pharmacist = pharmacy.as('pharmacist');
const { medicineId } = await pharmacy.stockMedicine({ quantity: 1_000 });

const lives = fc.array(fc.constantFrom(...handOverParts), { minLength: 2, maxLength: 7 }).map((parts) => parts.flat());

const enterAtCounter = async (customeremail: string): Promise<string> => {
  const answer = await pharmacist('/orderMedi/counter', {
    method: 'POST',
    json: {
      items: [{ medicineId, quantity: 1 }],
      recipientName: 'Nadia Rahman',
      customeremail,
      customerPhone: '+880 1555 010400',
      prescription: { date: '2006-01-15', prescriber: 'Dr. Sara Rahman' },
    },
  });
  return ((await answer.json()) as Order)._id;
};
const customerOf = async (id: string): Promise<string | undefined> =>
  (await pharmacy.collections.orders.findOne({ _id: new ObjectId(id) }))?.customerId;

test('an order entered for an address goes to whoever has it then, or next, whatever the service missed', async () => {
  await fc.assert(
    fc.asyncProperty(lives, (life) => assertHandedOver(pharmacy, life, enterAtCounter, customerOf)),
    { numRuns: 10 },
  );
});
