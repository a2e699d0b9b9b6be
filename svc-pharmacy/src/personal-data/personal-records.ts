import { internal, type CopyRules, type DeletionRules, type PersonalRecords } from '@clinic/service-kit';
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
  ...each('kept', '_id', 'number', 'itemKeys', 'orderDate', 'status', 'heldUntil', 'unusual'),
  ...each('emptied', 'deliveryAddress', 'customerEmail', 'customerPhone'),
  ...each('removed', 'customerId', 'recipientName', 'recipientKeys', 'prescription'),
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
  recipientName: 'recipientName',
  recipientKeys: internal('derived from the recipient’s name, for searching'),
  prescription: 'prescription',
  heldUntil: 'heldUntil',
  unusual: 'unusual',
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
export const pharmacyRecords: PersonalRecords<PharmacyCollections> = {
  orders: { whenDeleted: { customer: customerDeleted }, inCopy: orderInCopy },
  medicines: {
    whenDeleted: { pharmacist: pharmacistDeleted },
    inCopy: internal('the pharmacy’s stock; who added a medicine is in the history'),
  },
  movements: {
    whenDeleted: { mover: moverDeleted },
    inCopy: internal('the pharmacy’s stock; what a person ordered is in their orders'),
  },
  stockRequests: { whenDeleted: { asker: askerDeleted }, inCopy: stockRequestInCopy },
  counters: { whenDeleted: {}, inCopy: internal('the last number of a series') },
  orderTallies: { whenDeleted: {}, inCopy: internal('counts for reports') },
  medicineTallies: { whenDeleted: {}, inCopy: internal('counts for reports') },
};
