import { orderTotalMinor } from '@clinic/app-kit';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { toMajor } from '@clinic/contracts/money';
import { toCsv } from '@clinic/ui/csv';
import { formatInstant } from '../history/format-instant.ts';
import type { Medicine } from '../medicines/medicine.ts';
import { orderNumber } from '../orders/order-format.ts';
import { columnNames } from './lines.ts';

const columns = [...Object.values(columnNames), 'Status'];

/** The inventory as CSV that the import reads back. */
export function writeCsv(medicines: readonly Medicine[]): string {
  const rows = medicines.map((medicine) => [
    medicine.medicineId,
    medicine.name,
    medicine.manufacturer,
    medicine.quantity,
    medicine.unit,
    medicine.expiryDate,
    toMajor(medicine.priceMinor),
    medicine.maxPerCustomer ?? '',
    medicine.category ?? '',
    medicine.prescriptionOnly ? 'yes' : '',
    medicine.status,
  ]);
  return toCsv([columns, ...rows]);
}

const orderColumns = [
  'Order',
  'Ordered',
  'Status',
  'Recipient',
  'Address',
  'Phone',
  'Email',
  'Items',
  'Collect in cash',
];

/** Orders as CSV, for a courier. @param timeZone - the clinic's, IANA name */
export function writeOrders(orders: readonly Order[], timeZone: string): string {
  const rows = orders.map((order) => [
    orderNumber(order),
    formatInstant(order.orderDate, timeZone),
    order.status,
    order.recipientName ?? '',
    order.deliveryAddress,
    order.customerPhone,
    order.customeremail,
    order.items.map(({ quantity, name }) => `${quantity} × ${name}`).join('; '),
    toMajor(orderTotalMinor(order.items)),
  ]);
  return toCsv([orderColumns, ...rows]);
}
