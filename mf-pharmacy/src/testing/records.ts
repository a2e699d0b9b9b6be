import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import type { Medicine as WireMedicine } from '@clinic/svc-pharmacy/contract/schemas';

type Stated = Omit<WireMedicine['medicine'], 'quantity' | 'pricePerUnit'>;

interface MedicineFields extends Partial<Stated>, Partial<Pick<WireMedicine, 'status' | 'customerLimit' | 'archived'>> {
  /** The record's id. */
  readonly id?: string;
  readonly quantity?: number;
  /** As on the wire, e.g. '2.5'. */
  readonly price?: string;
}

/** A medicine as the service sends it: 40 strips of Aspirin at 2.5, unless stated otherwise. */
export const wireMedicine = ({
  id = 'a'.repeat(24),
  status = 'in stock',
  customerLimit,
  archived,
  quantity = 40,
  price = '2.5',
  ...stated
}: MedicineFields = {}): WireMedicine => ({
  _id: { $oid: id },
  pharmacistEmail: 'p@clinic.example',
  addedDate: '2026-01-01',
  status,
  ...(customerLimit !== undefined && { customerLimit }),
  ...(archived && { archived }),
  medicine: {
    medicineId: 'MED-1',
    name: 'Aspirin',
    manufacturer: 'Maker',
    unit: 'strip',
    expiryDate: '2999-01-01',
    ...stated,
    quantity: { $numberInt: String(quantity) },
    pricePerUnit: { $numberDouble: price },
  },
});

/** The line of an order: three strips of Aspirin at 0.1. */
export const orderLine: Order['items'][number] = {
  medicineId: 'MED-1',
  name: 'Aspirin',
  manufacturer: 'Maker',
  quantity: 3,
  unit: 'strip',
  pricePerUnit: 0.1,
  expiryDate: '2999-01-01',
};
