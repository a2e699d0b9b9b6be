import { addDays, clinicMoment } from '@clinic/contracts';
import { demoPatients, demoPharmacists } from '@clinic/demo-data';
import { seedDemoOnce, type Country, type HistoryEvent } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import type { OrderStatus } from '../contract/transitions.ts';
import { medicineCounterId, medicineNumber } from '../medicines/medicine-number.ts';
import { medicineRecord, type MedicineRecord } from '../medicines/medicine-record.ts';
import { firstMovement, movementRecords, withFirstMovement } from '../medicines/movement-record.ts';
import { itemKeysOf, orderLine, orderNumberOf, recipientFields, type OrderRecord } from '../orders/order-record.ts';
import type { PharmacyContext } from '../settings.ts';
import { collectionsOf } from '../collections.ts';
import { demoCategoryOf, demoMedicines, needsPrescription } from './demo-medicines.ts';
import { demoAddresses, demoOrders, type DemoOrder } from './demo-orders.ts';

const hour = 3_600_000;

/** Fills an empty database with a realistic pharmacy with dates relative to now, once. */
export async function seedDemo(context: PharmacyContext): Promise<void> {
  const { CLINIC_COUNTRY, CLINIC_TZ, LOW_STOCK_BELOW } = context.settings;
  const collections = collectionsOf(context.db);
  const now = new Date();
  const { date: today } = clinicMoment(now, CLINIC_TZ);
  const medicines = demoMedicineDocuments(today, LOW_STOCK_BELOW);
  const orders = demoOrders.map((order) => demoOrderDocument(order, medicines, now, CLINIC_COUNTRY));
  const opening = medicines.map((medicine) => firstMovement(medicine, 'added'));
  await seedDemoOnce(context, async (session) => {
    await collections.medicines.insertMany(medicines, { session });
    await collections.movements.insertMany(movementRecords(opening, { at: now, requestId: 'seed' }), { session });
    await collections.counters.insertOne({ _id: medicineCounterId, last: medicines.length }, { session });
    await collections.orders.insertMany(orders, { session });
    await context.db.collection<HistoryEvent>('events').insertMany(orders.flatMap(orderHistory), { session });
  });
}

function demoMedicineDocuments(today: string, lowStockBelow: number): MedicineRecord[] {
  return demoMedicines.map((medicine, index) => {
    const [name, manufacturer, quantity, unit, pricePerUnit, expiresInDays, addedDaysAgo] = medicine;
    const details = {
      medicineId: medicineNumber(index + 1),
      name,
      category: demoCategoryOf(name),
      prescriptionOnly: needsPrescription(name),
      manufacturer,
      quantity,
      unit,
      expiryDate: addDays(today, expiresInDays),
      pricePerUnit,
    };
    const pharmacistEmail = itemAt(demoPharmacists, index % demoPharmacists.length).email;
    const record = medicineRecord(new ObjectId(), details, {
      pharmacistEmail,
      addedDate: addDays(today, -addedDaysAgo),
      lowStockBelow,
    });
    return withFirstMovement(record);
  });
}

function demoOrderDocument(
  [customer, hoursAgo, status, ...lines]: DemoOrder,
  medicines: readonly MedicineRecord[],
  now: Date,
  country: Country,
): OrderRecord {
  const { firstName, lastName, email, phone } = itemAt(demoPatients, customer);
  const _id = new ObjectId();
  const items = lines.map(([place, quantity]) => orderLine(itemAt(medicines, place - 1), quantity));
  return {
    _id,
    number: orderNumberOf(_id),
    items,
    itemKeys: itemKeysOf({ items }),
    orderDate: new Date(now.getTime() - hoursAgo * hour),
    status,
    deliveryAddress: itemAt(demoAddresses, customer),
    customerEmail: email,
    ...recipientFields(`${firstName} ${lastName}`, phone, country),
  };
}

/** The steps to each status, with the hours between order and step. */
const pasts: Readonly<Record<OrderStatus, readonly (readonly [to: OrderStatus, hoursLater: number])[]>> = {
  pending: [],
  Shipped: [['Shipped', 8]],
  Delivered: [
    ['Shipped', 8],
    ['Delivered', 40],
  ],
  Cancelled: [['Cancelled', 2]],
};

function orderHistory({ _id, orderDate, status, customerEmail }: OrderRecord): HistoryEvent[] {
  const record = { type: 'order', id: _id.toHexString() };
  const people = [customerEmail];
  const common = { call: 'seed', requestId: 'seed', record, concerns: people, people } as const;
  const states: OrderStatus[] = ['pending', ...pasts[status].map(([to]) => to)];
  return [
    { ...common, at: orderDate, action: 'placed', before: null, after: { status: 'pending' } },
    ...pasts[status].map(([to, hoursLater], step) => ({
      ...common,
      at: new Date(orderDate.getTime() + hoursLater * hour),
      action: 'status changed',
      before: { status: states[step] },
      after: { status: to },
    })),
  ];
}

function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`The demo data has no entry ${index}`);
  return item;
}
