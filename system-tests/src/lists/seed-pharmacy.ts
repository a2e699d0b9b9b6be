import { addDays } from '@clinic/contracts';
import { type Db, ObjectId } from 'mongodb';
import { userIdOf } from '../../../svc-identity/src/users/user-record.ts';
import { collectionsOf as pharmacyCollectionsOf } from '../../../svc-pharmacy/src/collections.ts';
import { medicineRecord } from '../../../svc-pharmacy/src/medicines/medicine-record.ts';
import type { MovementRecord } from '../../../svc-pharmacy/src/medicines/movement-record.ts';
import { itemKeysOf, orderNumberOf, recipientFields } from '../../../svc-pharmacy/src/orders/order-record.ts';
import { people, type ThreeServices } from '../support/three-services.ts';
import { hour, moment, movedMedicine, name, now, numbers, phoneNumber, pick, rows, today } from './seed-values.ts';

/** Requests of the person who reads the lists. */
export async function seedStockRequests({ identity, pharmacy }: ThreeServices['databases']): Promise<void> {
  const { email } = people.admin;
  const accountId = (await userIdOf({ db: identity }, email)) ?? '';
  await pharmacyCollectionsOf(pharmacy).stockRequests.insertMany(
    numbers.map((at) => ({ _id: new ObjectId(), medicine: new ObjectId(), accountId, email, askedAt: moment(at) })),
  );
}

/** Fills the lists of svc-pharmacy. */
export async function seedPharmacy(db: Db): Promise<void> {
  const { medicines, movements, orders } = pharmacyCollectionsOf(db);
  const stock = numbers.map((at) =>
    medicineRecord(
      at === 0 ? new ObjectId(movedMedicine) : new ObjectId(),
      {
        medicineId: `LIST-${at}`,
        name: name(at),
        manufacturer: 'Maker',
        quantity: at % 12,
        unit: 'box',
        expiryDate: addDays(today, pick([-30, -1, 0, 1, 29, 30, 31, 400], at)),
        pricePerUnit: 2.5,
      },
      { pharmacistEmail: 'pharmacist@clinic.example', addedDate: today, lowStockBelow: 10 },
    ),
  );
  await medicines.insertMany(stock.map((row, at) => (at % 5 === 1 ? { ...row, archived: true as const } : row)));
  await movements.insertMany(numbers.map(movement));
  await orders.insertMany(
    numbers.map((at) => {
      const _id = new ObjectId();
      const items = [stock[at], stock[(at * 5 + 1) % rows]].flatMap((medicine) =>
        medicine
          ? [
              {
                medicineId: medicine.medicineId,
                name: medicine.name,
                manufacturer: '',
                quantity: 1,
                unit: 'box',
                priceMinor: 250,
                expiryDate: medicine.expiryDate,
              },
            ]
          : [],
      );
      return {
        _id,
        number: orderNumberOf(_id),
        items,
        itemKeys: itemKeysOf({ items }),
        ...(at % 4 === 0 && { unusual: true as const }),
        orderDate: moment(at),
        status: pick(['pending', 'Shipped', 'Delivered', 'Cancelled'] as const, at),
        deliveryAddress: '5 Lake Road',
        customerEmail: `person${at % 9}@letters.example`,
        ...recipientFields(at % 3 === 0 ? undefined : name(at), phoneNumber(at), 'BD'),
        heldUntil: new Date(now + 720 * hour),
      };
    }),
  );
}

const movement = (at: number): MovementRecord => ({
  _id: new ObjectId(),
  medicine: at % 4 === 0 ? new ObjectId() : new ObjectId(movedMedicine),
  place: at,
  at: moment(at),
  by: 1,
  quantity: at,
  reason: pick(['counted', 'restocked', 'ordered'] as const, at),
  requestId: 'seed',
});
