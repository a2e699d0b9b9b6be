import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ObjectId } from 'mongodb';
import { isProven, madeWithin, provenAddresses, type Person } from './person.ts';

const email = 'shared@nowhere.example';
const handedOver = Date.parse('2027-03-10T09:00:00Z');

/** Two accounts that had the address one after the other, as svc-identity tells of each. */
function owners(until: Date, since: Date): { readonly earlier: Person; readonly later: Person } {
  const before = { since: new Date(handedOver - 86_400_000), until };
  return {
    earlier: {
      id: 'a',
      email: 'a@nowhere.example',
      addresses: [{ email, confirmed: true, ...before, others: [{ id: 'b', since }] }],
    },
    later: { id: 'b', email, addresses: [{ email, confirmed: true, since, others: [{ id: 'a', ...before }] }] },
  };
}

test('what was made under an address goes to nobody who had it at another moment, whatever the part of the second', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -3_000, max: 3_000 }),
      fc.integer({ min: 0, max: 2_000 }),
      fc.integer({ min: -5_000, max: 7_000 }),
      (change, gap, made) => {
        const until = new Date(handedOver + change);
        const { earlier, later } = owners(until, new Date(handedOver + change + gap));
        const at = handedOver + made;
        const id = ObjectId.createFromTime(Math.floor(at / 1_000));
        const found = (person: Person): boolean =>
          provenAddresses(person).some((address) => {
            const { $gte, $lt } = madeWithin(address)._id ?? {};
            return (!$gte || id.toHexString() >= $gte.toHexString()) && (!$lt || id.toHexString() < $lt.toHexString());
          });
        for (const person of [earlier, later]) assert.equal(found(person), isProven(person, email, id));
        if (at >= until.getTime())
          assert.equal(found(earlier), false, 'the earlier owner gets none of the later one’s');
        else assert.equal(found(later), false, 'the later owner gets none of the earlier one’s');
        assert.ok(!(found(earlier) && found(later)));
      },
    ),
    { numRuns: 500 },
  );
});

test('what was made for an address is its owner’s, also from when somebody else had merely typed it', () => {
  const [since, until] = [new Date(handedOver - 1_000), new Date(handedOver)];
  const owner = (confirmed?: boolean): Person => ({
    id: 'b',
    email,
    addresses: [
      {
        email,
        confirmed: true,
        since: until,
        others: [{ id: 'a', since, until, ...(confirmed !== undefined && { confirmed }) }],
      },
    ],
  });
  assert.equal(provenAddresses(owner(false))[0]?.from, undefined);
  // Of an earlier release, or confirmed.
  for (const confirmed of [undefined, true]) assert.deepEqual(provenAddresses(owner(confirmed))[0]?.from, until);
});
