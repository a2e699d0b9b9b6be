import {
  internal,
  madeWithin,
  provenAddresses,
  type CopyRules,
  type DeletionRules,
  type PersonalRecords,
} from '@clinic/service-kit';
import { unowned } from '../accounts/customer-accounts.ts';
import type { PharmacyCollections } from '../collections.ts';
import type { StockRequestRecord } from '../back-in-stock/stock-request-record.ts';
import type { MedicineRecord } from '../medicines/medicine-record.ts';
import type { MovementRecord } from '../medicines/movement-record.ts';
import type { OrderRecord } from '../orders/order-record.ts';

/** The same rule for several fields, to spread into a table of rules; a field that no row names doesn't compile. */
const each = <const Rule, Field extends string>(rule: Rule, ...fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, rule])) as Record<Field, Rule>;

const account = internal('the account’s id; the account is in the copy of svc-identity');

/** Deleting a customer keeps what was sold, without the name. */
export const customerDeleted: DeletionRules<OrderRecord> = {
  ...each('kept', '_id', 'number', 'itemKeys', 'orderDate', 'status', 'heldUntil', 'unusual', 'erasedAt'),
  ...each('emptied', 'deliveryAddress', 'customerEmail', 'customerPhone'),
  ...each('removed', 'customerId', 'customerPhoneE164', 'recipientName', 'recipientKeys', 'prescription'),
  items: each('kept', 'medicineId', 'name', 'manufacturer', 'quantity', 'unit', 'priceMinor', 'expiryDate'),
};

export const orderInCopy: CopyRules<OrderRecord> = {
  _id: '_id',
  number: internal('the end of _id'),
  items: 'items',
  itemKeys: internal('derived from the items, for searching'),
  orderDate: 'orderDate',
  status: 'status',
  deliveryAddress: 'deliveryAddress',
  customerId: account,
  customerEmail: 'customeremail',
  customerPhone: 'customerPhone',
  customerPhoneE164: 'customerPhoneE164',
  recipientName: 'recipientName',
  recipientKeys: internal('derived from the recipient’s name and the phone number, for searching'),
  prescription: 'prescription',
  heldUntil: 'heldUntil',
  unusual: 'unusual',
  erasedAt: internal('only set once its customer is deleted'),
};

/** Deleting a pharmacist: which medicines were added is the pharmacy's own record and doesn't need the name. */
export const pharmacistDeleted: DeletionRules<MedicineRecord> = {
  ...each(
    'kept',
    '_id',
    'medicineId',
    'name',
    'nameKey',
    'nameParts',
    'manufacturer',
    'quantity',
    'booked',
    'moves',
    'unit',
  ),
  ...each('kept', 'expiryDate', 'priceMinor', 'maxPerCustomer', 'category', 'prescriptionOnly', 'archived'),
  ...each('kept', 'status', 'addedDate', 'asks'),
  pharmacistEmail: 'emptied',
  pharmacistId: 'kept',
};

/** Deleting the customer of an order that is on its way: recipient, address and phone stay until it has arrived. */
export const customerOnTheWayDeleted: DeletionRules<OrderRecord> = {
  ...customerDeleted,
  ...each('kept', 'deliveryAddress', 'customerPhone', 'recipientName'),
};

/** Deleting anybody keeps what moved; an account's id leads to nobody any more. */
export const moverDeleted: DeletionRules<MovementRecord> = {
  ...each('kept', '_id', 'medicine', 'place', 'at', 'by', 'quantity', 'reason', 'note', 'orderId', 'requestId'),
  actor: each('kept', 'id', 'role'),
};

/** Deleting a patient deletes their requests. */
const askerDeleted: DeletionRules<StockRequestRecord> = {
  ...each('emptied', '_id', 'medicine', 'accountId', 'email', 'askedAt'),
};

const stockRequestInCopy: CopyRules<StockRequestRecord> = {
  _id: '_id',
  medicine: 'medicine',
  accountId: account,
  email: 'email',
  askedAt: 'askedAt',
};

/** What erasure and export do with each collection of this service. */
export const pharmacyRecords = {
  orders: {
    whose: {
      customer: (person) => [
        ...(person.id === undefined ? [] : [{ customerId: person.id }]),
        ...provenAddresses(person).map((address) => ({
          customerEmail: address.email,
          ...unowned,
          ...madeWithin(address),
        })),
      ],
    },
    whenDeleted: { customer: customerDeleted },
    inCopy: orderInCopy,
  },
  medicines: {
    whose: {
      pharmacist: (person) => [
        ...(person.id === undefined ? [] : [{ pharmacistId: person.id }]),
        ...provenAddresses(person).map((address) => ({
          pharmacistEmail: address.email,
          pharmacistId: { $exists: false },
          ...madeWithin(address),
        })),
      ],
    },
    whenDeleted: { pharmacist: pharmacistDeleted },
    inCopy: internal('the pharmacy’s stock; who added a medicine is in the history'),
  },
  movements: {
    whose: {},
    whenDeleted: { mover: moverDeleted },
    inCopy: internal('the pharmacy’s stock; what a person ordered is in their orders'),
  },
  stockRequests: {
    whose: { asker: ({ id }) => (id === undefined ? [] : [{ accountId: id }]) },
    whenDeleted: { asker: askerDeleted },
    inCopy: stockRequestInCopy,
  },
  counters: { whose: {}, whenDeleted: {}, inCopy: internal('the last number of a series') },
  orderTallies: { whose: {}, whenDeleted: {}, inCopy: internal('counts for reports') },
  medicineTallies: { whose: {}, whenDeleted: {}, inCopy: internal('counts for reports') },
} satisfies PersonalRecords<PharmacyCollections>;
