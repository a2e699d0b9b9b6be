import assert from 'node:assert/strict';
import type { Order, PriceChange } from '@clinic/contracts';
import { calls } from '@clinic/contracts/calls';
import { startTestService, type TestFetch } from '@clinic/service-kit/testing';
import { ObjectId } from 'mongodb';
import { medicineRecord, type MedicineDetails, type MedicineRecord } from '../medicines/medicine-record.ts';
import { pharmacyService } from '../service.ts';
import { collectionsOf } from '../collections.ts';

/** High limits, as tests order more than a household; the real limits have their own tests. */
const roomy = { PHARMACY_UNITS_PER_CUSTOMER: 'box=10000', PHARMACY_MAX_OPEN_MEDICINES: '1000' };

/** The default limits. */
export const usual = { PHARMACY_UNITS_PER_CUSTOMER: '', PHARMACY_MAX_OPEN_MEDICINES: '' };

/** A pharmacy running for a test, with an empty database. */
export async function startPharmacy(env: Readonly<Record<string, string>> = {}) {
  const service = await startTestService(pharmacyService, { env: { CLINIC_TZ: 'Asia/Dhaka', ...roomy, ...env } });
  return { ...service, collections: collectionsOf(service.db) };
}

export type TestPharmacy = Awaited<ReturnType<typeof startPharmacy>>;

let numbered = 0;

/** Adds a medicine directly to the database. */
export async function stockMedicine(
  { collections }: Pick<TestPharmacy, 'collections'>,
  details: Partial<MedicineDetails> = {},
): Promise<MedicineRecord> {
  numbered += 1;
  const medicineId = `T-${String(numbered).padStart(4, '0')}`;
  const medicine = medicineRecord(
    new ObjectId(),
    {
      medicineId,
      name: `Test medicine ${numbered}`,
      manufacturer: 'Test Labs',
      quantity: 100,
      unit: 'box',
      expiryDate: '2999-12-31',
      pricePerUnit: 2.5,
      ...details,
    },
    { pharmacistEmail: 'pharmacist@clinic.example', addedDate: '2026-01-01', lowStockBelow: 10 },
  );
  await collections.medicines.insertOne(medicine);
  return medicine;
}

/** Current stock of a medicine. */
export async function stockOf(
  { collections }: Pick<TestPharmacy, 'collections'>,
  medicineId: string,
): Promise<{ quantity: number; status: string }> {
  const medicine = await collections.medicines.findOne({ medicineId });
  assert.ok(medicine, `${medicineId} is on the shelf`);
  return { quantity: medicine.quantity, status: medicine.status };
}

/** An order body as the store sends it. */
export function orderBody(
  email: string,
  items: readonly { readonly medicineId: string; readonly quantity: unknown; readonly pricePerUnit?: unknown }[],
) {
  return { items, deliveryAddress: '12 Lakeside Road', customeremail: email, customerPhone: '+880 1555 010400' };
}

/** Places an order and expects success. */
export async function order(
  as: TestFetch,
  email: string,
  items: readonly { readonly medicineId: string; readonly quantity: number }[],
): Promise<Order> {
  const response = await as('/orderMedi', { method: 'POST', json: orderBody(email, items) });
  assert.equal(response.status, 201, await response.clone().text());
  return calls.placeOrder.response.parse(await response.json());
}

/** Requests a new status. */
export function move(as: TestFetch, orderId: string, newStatus: string): Promise<Response> {
  return as(`/orderMedi/${orderId}`, { method: 'PATCH', json: { newStatus } });
}

interface ProblemBody {
  readonly status: number;
  readonly code: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  readonly lines?: readonly Record<string, unknown>[];
  readonly prices?: readonly PriceChange[];
  readonly total?: number;
}

/** The problem of a rejected call; checks the status. */
export async function problemOf(response: Response, status: number): Promise<ProblemBody> {
  assert.equal(response.status, status, await response.clone().text());
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/);
  return (await response.json()) as ProblemBody;
}

/** Number of responses by status. */
export function countByStatus(responses: readonly Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
