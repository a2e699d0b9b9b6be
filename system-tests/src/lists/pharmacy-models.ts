import { addDays, type CallId, clinicInstant, clinicMoment } from '@clinic/contracts';
import { nearExpiryDays } from '@clinic/svc-pharmacy/contract/limits';
import { folded, isDialled, searchedDigits } from './as-people-read.ts';
import { clinicTimeZone, events, looks } from './common-models.ts';
import { at, equal, keyOf, ofEmail, partOf, recordsOf, some, textsAt } from './filter-models.ts';
import { byId, type ListModel, type Query } from './list-model.ts';
import { phoneSearches, searches } from './searches.ts';
import { movedMedicine } from './seed-values.ts';

const isByCustomer = ({ q = '', email }: Query): boolean => q !== '' && !q.startsWith('#') && email === undefined;
const isRecipient = (name: unknown, key: string): boolean =>
  typeof name === 'string' &&
  Array.from(key).length >= 3 &&
  !key.includes('@') &&
  beginnings(name).some((beginning) => beginning.startsWith(key));
/** A name from each word on, and from each apostrophe and hyphen on. */
const beginnings = (name: string): string[] =>
  [...name.matchAll(/(?<=^|[\s'’‘\-\u2010\u2011])/gu)].map(({ index }) => folded(name.slice(index)));
const today = (): string => clinicMoment(new Date(), clinicTimeZone).date;

/** The lists of svc-pharmacy. */
export const pharmacyModels: Readonly<Partial<Record<CallId, ListModel>>> = {
  listStockRequests: {
    // All belong to the person who reads the lists.
    records: recordsOf('pharmacy', 'stockRequests'),
    filters: {},
    orders: { newest: [[at('askedAt'), -1], byId(-1)] },
    usualOrder: () => 'newest',
  },
  listMovements: {
    records: recordsOf('pharmacy', 'movements'),
    filters: {
      id: { required: true, values: () => [movedMedicine], matches: ({ medicine }, id) => String(medicine) === id },
    },
    orders: { newest: [[at('place'), -1], byId(-1)] },
    usualOrder: () => 'newest',
  },
  listMedicines: {
    records: recordsOf('pharmacy', 'medicines'),
    rowId: ({ _id }) => (_id as { readonly $oid: string }).$oid,
    filters: {
      status: equal('status'),
      category: equal('category', ['Vitamins']),
      archived: { values: () => ['true'], matches: ({ archived }) => archived === true },
      q: partOf('name'),
      expiry: {
        values: () => ['soon', 'expired'],
        matches: ({ expiryDate }, value) =>
          value === 'expired'
            ? String(expiryDate) < today()
            : String(expiryDate) >= today() && String(expiryDate) <= addDays(today(), nearExpiryDays),
      },
      medicineIds: {
        values: (records) => [
          some(records.map(({ medicineId }) => String(medicineId))).join(),
          ` ${String(records[0]?.['medicineId'])} ,,NONE`,
          'NONE',
        ],
        matches: ({ medicineId }, value) =>
          value
            .split(',')
            .map((id) => id.trim())
            .includes(String(medicineId)),
      },
    },
    orders: {
      name: [[keyOf('name'), 1], byId(1)],
      expiry: [[at('expiryDate'), 1], byId(1)],
      stock: [[at('quantity'), 1], byId(1)],
    },
    leavesOut: ({ archived }, query) => archived === true && query['archived'] === undefined,
    usualOrder: ({ expiry }) => (expiry === undefined ? 'name' : 'expiry'),
  },
  listOrders: {
    records: recordsOf('pharmacy', 'orders'),
    filters: {
      email: ofEmail('customerEmail'),
      status: equal('status'),
      unusual: { values: () => ['true'], matches: ({ unusual }) => unusual === true },
      from: {
        values: (records) => some(records.map(({ orderDate }) => clinicMoment(orderDate as Date, clinicTimeZone).date)),
        matches: ({ orderDate }, value) =>
          (orderDate as Date) >= clinicInstant({ date: value, time: '00:00' }, clinicTimeZone),
      },
      q: {
        values: (records) => [
          ...searches(
            records.map((record) => [
              ...textsAt(record, 'items.name'),
              String(record['customerEmail']),
              String(record['recipientName'] ?? ''),
            ]),
          ),
          ...phoneSearches(records.map(({ customerPhone }) => String(customerPhone))),
          ...some(records.map(({ number }) => `#${String(number).toLowerCase()}`)),
          '#',
          '# FFFFFF',
        ],
        // The number; for one customer, part of a medicine's name; for all, the beginning of the customer's address, or of a
        // word of the recipient's name, or of the customer's phone number.
        matches(record, value, { email }) {
          if (value.startsWith('#')) return record['number'] === value.slice(1).trim().toUpperCase();
          const key = folded(value);
          if (key === '') return false;
          const digits = searchedDigits(value);
          const address = value.trim().toLowerCase();
          return email === undefined
            ? String(record['customerEmail']).startsWith(address) ||
                (digits === undefined
                  ? isRecipient(record['recipientName'], key)
                  : digits.length >= 7 && isDialled(record['customerPhone'], digits))
            : textsAt(record, 'items.name').some((name) => folded(name).includes(key));
        },
      },
    },
    orders: {
      newest: [[at('orderDate'), -1], byId(-1)],
      oldest: [[at('orderDate'), 1], byId(1)],
      customer: [[at('customerEmail'), 1], [at('orderDate'), -1], byId(-1)],
    },
    usualOrder: (query) => (isByCustomer(query) ? 'customer' : 'newest'),
  },
  listPharmacyLooks: looks('pharmacy'),
  listPharmacyEvents: events('pharmacy', () => true),
};
