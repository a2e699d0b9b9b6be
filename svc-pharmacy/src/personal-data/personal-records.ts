import { internal, type CopyRules, type DeletionRules, type PersonalRecords } from '@clinic/service-kit';
import type { PharmacyCollections } from '../collections.ts';
import type { StockRequestRecord } from '../back-in-stock/stock-request-record.ts';
import type { MedicineRecord } from '../medicines/medicine-record.ts';
import type { OrderRecord } from '../orders/order-record.ts';

/** Deleting a customer keeps what was sold, without the name. */
export const customerDeleted: DeletionRules<OrderRecord> = {
  _id: 'kept',
  number: 'kept',
  items: {
    medicineId: 'kept',
    name: 'kept',
    manufacturer: 'kept',
    quantity: 'kept',
    unit: 'kept',
    priceMinor: 'kept',
    expiryDate: 'kept',
  },
  itemKeys: 'kept',
  orderDate: 'kept',
  status: 'kept',
  deliveryAddress: 'emptied',
  customerId: 'removed',
  customerEmail: 'emptied',
  customerPhone: 'emptied',
  heldUntil: 'kept',
  unusual: 'kept',
};

export const orderInCopy: CopyRules<OrderRecord> = {
  _id: '_id',
  number: internal('the end of _id'),
  items: 'items',
  itemKeys: internal('derived from the items, for searching'),
  orderDate: 'orderDate',
  status: 'status',
  deliveryAddress: 'deliveryAddress',
  customerId: internal('the account’s id; the account is in the copy of svc-identity'),
  customerEmail: 'customeremail',
  customerPhone: 'customerPhone',
  heldUntil: 'heldUntil',
  unusual: 'unusual',
};

/** Deleting a pharmacist: which medicines were added is the pharmacy's own record and doesn't need the name. */
export const pharmacistDeleted: DeletionRules<MedicineRecord> = {
  _id: 'kept',
  medicineId: 'kept',
  name: 'kept',
  nameKey: 'kept',
  nameParts: 'kept',
  manufacturer: 'kept',
  quantity: 'kept',
  unit: 'kept',
  expiryDate: 'kept',
  priceMinor: 'kept',
  maxPerCustomer: 'kept',
  category: 'kept',
  status: 'kept',
  pharmacistEmail: 'emptied',
  addedDate: 'kept',
  asks: 'kept',
};

/** Deleting a patient deletes their requests. */
const askerDeleted: DeletionRules<StockRequestRecord> = {
  _id: 'emptied',
  medicine: 'emptied',
  accountId: 'emptied',
  email: 'emptied',
  askedAt: 'emptied',
};

const stockRequestInCopy: CopyRules<StockRequestRecord> = {
  _id: '_id',
  medicine: 'medicine',
  accountId: internal('the account’s id; the account is in the copy of svc-identity'),
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
  stockRequests: { whenDeleted: { asker: askerDeleted }, inCopy: stockRequestInCopy },
  counters: { whenDeleted: {}, inCopy: internal('the last number of a series') },
  orderTallies: { whenDeleted: {}, inCopy: internal('counts for reports') },
  medicineTallies: { whenDeleted: {}, inCopy: internal('counts for reports') },
};
