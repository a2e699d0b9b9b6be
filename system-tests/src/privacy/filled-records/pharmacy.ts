import type { Filled } from '@clinic/service-kit/testing';
import { ObjectId } from 'mongodb';
import type { StockRequestRecord } from '../../../../svc-pharmacy/src/back-in-stock/stock-request-record.ts';
import type { MedicineRecord } from '../../../../svc-pharmacy/src/medicines/medicine-record.ts';
import type { MovementRecord } from '../../../../svc-pharmacy/src/medicines/movement-record.ts';
import type { OrderRecord } from '../../../../svc-pharmacy/src/orders/order-record.ts';
import { daysFromNow, mark, type Person } from './values.ts';

export const order = ({ email, id }: Person): Filled<OrderRecord> => ({
  _id: new ObjectId(),
  number: 'ABCDEF',
  items: [
    {
      medicineId: 'MED-9999',
      name: 'Napa',
      manufacturer: 'Beximco',
      quantity: 2,
      unit: 'box',
      priceMinor: 150,
      expiryDate: '2030-01-01',
    },
  ],
  itemKeys: ['napa'],
  orderDate: daysFromNow(-2),
  // Pending orders show `heldUntil`; the copy is made before the deletion cancels it.
  status: 'pending',
  deliveryAddress: mark('order-address'),
  customerId: id,
  customerEmail: email,
  customerPhone: mark('order-phone'),
  customerPhoneE164: mark('order-phone-e164'),
  recipientName: mark('order-recipient'),
  recipientKeys: [mark('order-recipient')],
  prescription: { date: '2006-11-01', prescriber: mark('order-prescriber') },
  heldUntil: daysFromNow(3),
  unusual: true,
  erasedAt: daysFromNow(-0.1),
});

export const medicine = ({ email, id }: Person): Filled<MedicineRecord> => ({
  _id: new ObjectId(),
  medicineId: 'MED-9999',
  name: 'Napa',
  nameKey: 'napa',
  nameParts: ['napa'],
  manufacturer: 'Beximco',
  quantity: 500,
  booked: 500,
  moves: 1,
  unit: 'box',
  expiryDate: '2030-01-01',
  priceMinor: 150,
  category: 'Pain relief',
  maxPerCustomer: 4,
  prescriptionOnly: true,
  archived: true,
  status: 'in stock',
  pharmacistEmail: email,
  pharmacistId: id,
  addedDate: '2026-01-01',
  asks: 2,
});

export const movement = ({ id }: Person): Filled<MovementRecord> => ({
  _id: new ObjectId(),
  medicine: new ObjectId(),
  place: 1,
  at: daysFromNow(-2),
  by: -2,
  quantity: 498,
  reason: 'ordered',
  note: 'Two bottles broke',
  orderId: 'e'.repeat(24),
  actor: { id, role: 'patient' },
  requestId: 'r',
});

export const stockRequest = ({ email, id }: Person): Filled<StockRequestRecord> => ({
  _id: new ObjectId('c'.repeat(24)),
  medicine: new ObjectId('d'.repeat(24)),
  accountId: id,
  email,
  askedAt: new Date('2026-11-01T10:00:00Z'),
});
