import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { CallResponse } from '@clinic/contracts';
import type { Order } from '../contract/order-schemas.ts';
import { pharmacyCalls } from '../contract/calls.ts';
import { newId, type HistoryEvent } from '@clinic/service-kit';
import { startTestService, type TestFetch } from '@clinic/service-kit/testing';
import { ObjectId, type Filter } from 'mongodb';
import type { PriceChange } from '../contract/problems.ts';
import { medicineRecord, type MedicineDetails, type MedicineRecord } from '../medicines/medicine-record.ts';
import { orderNumberOf, type OrderLine, type OrderRecord } from '../orders/order-record.ts';
import { pharmacyService } from '../service.ts';
import { collectionsOf, type PharmacyCollections } from '../collections.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

/** High limits, as tests order more than a household; the real limits have their own tests. */
const roomy = { PHARMACY_UNITS_PER_CUSTOMER: 'box=10000', PHARMACY_MAX_OPEN_MEDICINES: '1000' };

/** The default limits. */
export const usual = { PHARMACY_UNITS_PER_CUSTOMER: '', PHARMACY_MAX_OPEN_MEDICINES: '' };

let numbered = 0;

/** Medicines put on the shelf, and read from it, directly in the database. */
export function shelf({ medicines }: Pick<PharmacyCollections, 'medicines'>) {
  return {
    async stockMedicine(details: Partial<MedicineDetails> = {}): Promise<MedicineRecord> {
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
      await medicines.insertOne(medicine);
      return medicine;
    },
    /** Current stock of a medicine. */
    async stockOf(medicineId: string): Promise<{ quantity: number; status: string }> {
      const medicine = await medicines.findOne({ medicineId });
      assert.ok(medicine, `${medicineId} is on the shelf`);
      return { quantity: medicine.quantity, status: medicine.status };
    },
  };
}

/** A pharmacy running for a test, with an empty database. */
export async function startPharmacy(env: Readonly<Record<string, string>> = {}) {
  const service = await startTestService(pharmacyService, { env: { CLINIC_TZ: 'Asia/Dhaka', ...roomy, ...env } });
  const collections = collectionsOf(service.db);
  return {
    ...service,
    collections,
    ...shelf(collections),
    /** A record's history, in order. @param filter - leaves some out */
    eventsOf: (id: string, filter: Filter<HistoryEvent> = {}) =>
      service.db
        .collection<HistoryEvent>('events')
        .find({ 'record.id': id, ...filter })
        .sort({ at: 1, _id: 1 })
        .toArray(),
  };
}

/** {@link startPharmacy} for all tests of a file; it is closed after the last one. */
export async function sharedPharmacy(env?: Readonly<Record<string, string>>): Promise<TestPharmacy> {
  const pharmacy = await startPharmacy(env);
  after(() => pharmacy.close());
  return pharmacy;
}

export type TestPharmacy = Awaited<ReturnType<typeof startPharmacy>>;

/** An order for the database, pending and without lines or an account by default. */
export function storedOrder(fields: Partial<OrderRecord> = {}): OrderRecord {
  const _id = fields._id ?? newId();
  return {
    _id,
    number: orderNumberOf(_id),
    items: [],
    orderDate: new Date(),
    status: 'pending',
    deliveryAddress: '12 Lakeside Road',
    customerEmail: 'ann@mail.example',
    customerPhone: '+880 1555 010400',
    ...fields,
  };
}

/** A line of an order for the database, of one box by default. */
export function storedLine(fields: Partial<OrderLine> = {}): OrderLine {
  return {
    medicineId: 'MED-0001',
    name: 'Aspirin',
    manufacturer: 'Maker',
    quantity: 1,
    unit: 'box',
    priceMinor: 100,
    expiryDate: '2999-12-31',
    ...fields,
  };
}

/** The answer to a call, as its contract describes it. */
export async function read<Id extends keyof typeof pharmacyCalls>(as: TestFetch, id: Id, path: string) {
  const response = await as(path);
  assert.equal(response.status, 200, await response.clone().text());
  return pharmacyCalls[id].response.parse(await response.json()) as CallResponse<Id>;
}

/** All rows of a list, page by page, and the total that the first page gives. */
export async function allPages<Row>(as: TestFetch, first: string): Promise<{ rows: Row[]; total: string | null }> {
  const rows: Row[] = [];
  let total: string | null = null;
  for (let path: string | undefined = first; path !== undefined;) {
    const response: Response = await as(path);
    total ??= response.headers.get('x-total-count');
    rows.push(...((await response.json()) as Row[]));
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return { rows, total };
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
  return pharmacyCalls.placeOrder.response.parse(
    await readJson(as('/orderMedi', { method: 'POST', json: orderBody(email, items) }), 201),
  );
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

/** The fields that a rejected call names. */
export const fieldsOf = async (response: Response): Promise<string[] | undefined> =>
  (await problemOf(response, 400)).errors?.map(({ field }) => field);

/** Number of responses by status. */
export function countByStatus(responses: readonly Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
