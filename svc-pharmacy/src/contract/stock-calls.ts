import { defineCalls } from '@clinic/contracts/define-calls';
import { id, isoDate, optionalText, text } from '@clinic/contracts/schemas/fields';
import { historyEntry } from '@clinic/contracts/schemas/history';
import { z } from 'zod';
import { price, quantity } from './figures.ts';
import { maxImportBatch, maxLineQuantity, medicineUnits } from './limits.ts';
import { counterOrder, order } from './order-schemas.ts';
import { category, medicineSchema } from './schemas.ts';
import { maxAdjustment } from './stock-reasons.ts';
import { adjustment, movementList, stockCheck } from './stock-schemas.ts';

const staff = ['admin', 'pharmacist'] as const;
/** Who keeps the stock. */
export const keepers = { roles: staff, rights: ['stock'] } as const;
const shelf = 'the pharmacy’s stock, and which pharmacist keeps it';

const unit = z.enum(medicineUnits, { error: `Unit must be one of ${medicineUnits.join(', ')}` });

const prescriptionOnly = z.boolean({ error: 'Prescription only must be true or false' });

/** `null` for the unit's default. */
const maxPerCustomer = z
  .number({ error: 'Most per customer must be a number' })
  .int('Most per customer must be a whole number')
  .min(1, 'Most per customer must be 1 or more')
  .max(maxLineQuantity, `Most per customer must be ${maxLineQuantity} or less`)
  .nullable();

/** Fields of a new medicine. The id has no comma, because lists of ids are comma-separated. */
const newMedicine = z.object({
  medicineId: optionalText('Medicine id', 40)
    .regex(/^[^,]*$/, 'A medicine ID can’t contain a comma')
    .optional(),
  name: text('Name'),
  manufacturer: optionalText('Manufacturer').default(''),
  quantity,
  unit: unit.default('box'),
  expiryDate: isoDate('Expiry date'),
  pricePerUnit: price,
  maxPerCustomer: maxPerCustomer.optional(),
  category: category.nullable().optional(),
  prescriptionOnly: prescriptionOnly.optional(),
});

const importedMedicines = z.object({
  medicines: z
    .array(newMedicine)
    .min(1, 'Add at least one medicine to import')
    .max(maxImportBatch, `A request can have at most ${maxImportBatch} medicines`),
});

/** The calls about medicines and their stock, and of orders at the counter: the screens of staff add them. */
export const stockCalls = defineCalls('pharmacy', {
  checkStock: {
    method: 'GET',
    path: '/medicine/stock-check',
    access: { kind: 'restricted', roles: ['admin'] },
    timeoutSeconds: 60,
    summary: 'Check that each quantity is the sum of its movements; lists the medicines for which it isn’t',
    response: stockCheck,
    unnoted: shelf,
  },
  addMedicine: {
    method: 'POST',
    path: '/medicine',
    access: { kind: 'restricted', ...keepers },
    status: 201,
    errors: ['duplicate', 'idempotency_mismatch', 'in_progress'],
    idempotent: true,
    summary: 'Add a medicine to the inventory',
    // `status` is accepted because front-ends send it, and ignored: it follows from the stock.
    body: z.object({
      pharmacistEmail: z.string().optional(),
      medicine: newMedicine,
      addedDate: isoDate('Added date').optional(),
      status: z.string().optional(),
    }),
    response: medicineSchema,
    decides: {
      'body.pharmacistEmail': 'ignored',
      'body.medicine': 'content',
      'body.addedDate': 'ignored',
      'body.status': 'ignored',
    },
    unnoted: shelf,
  },
  checkMedicineImport: {
    method: 'POST',
    path: '/medicine/import/check',
    access: { kind: 'restricted', ...keepers },
    errors: ['duplicate'],
    summary: 'Check whether these medicines can be imported; stores nothing',
    body: importedMedicines,
    response: z.object({ acceptable: z.number() }),
    decides: { 'body.medicines': 'database' },
  },
  importMedicines: {
    method: 'POST',
    path: '/medicine/import',
    access: { kind: 'restricted', ...keepers },
    status: 201,
    errors: ['duplicate', 'idempotency_mismatch', 'in_progress'],
    idempotent: true,
    timeoutSeconds: 30,
    summary: 'Add many medicines to the inventory: all of the request or none',
    body: importedMedicines,
    response: z.object({ added: z.number() }),
    decides: { 'body.medicines': 'database' },
  },
  getMedicine: {
    method: 'GET',
    path: '/medicine/:id',
    access: { kind: 'restricted', ...keepers },
    errors: ['not_found'],
    summary: 'Get one medicine record; its ETag covers its details, not its stock',
    params: z.object({ id }),
    response: medicineSchema,
    decides: { 'params.id': 'record' },
    unnoted: shelf,
  },
  updateMedicine: {
    method: 'PATCH',
    path: '/medicine/:id',
    access: { kind: 'restricted', ...keepers },
    errors: ['not_found', 'changed_meanwhile', 'idempotency_mismatch', 'in_progress'],
    // A delivery adds to the stock: sent again after a lost response it would count twice.
    idempotent: true,
    summary: 'Restock or edit a medicine; with If-Match, only if no one else has edited it',
    params: z.object({ id }),
    body: z
      .object({
        /** Units received, added to the stock. */
        restock: z
          .number()
          .int('Quantity must be a whole number')
          .min(1, 'Enter 1 or more')
          .max(maxAdjustment, `Enter ${maxAdjustment.toLocaleString('en')} or less`)
          .optional(),
        name: text('Name').optional(),
        manufacturer: optionalText('Manufacturer').optional(),
        unit: unit.optional(),
        expiryDate: isoDate('Expiry date').optional(),
        pricePerUnit: price.optional(),
        maxPerCustomer: maxPerCustomer.optional(),
        category: category.nullable().optional(),
        prescriptionOnly: prescriptionOnly.optional(),
        /** Takes it out of the store and the inventory, or brings it back. */
        archived: z.boolean({ error: 'Archived must be true or false' }).optional(),
      })
      .refine(
        (body) => Object.values(body).some((value) => value !== undefined),
        'Include at least one field to change: restock, name, manufacturer, unit, expiryDate, pricePerUnit, maxPerCustomer, category, prescriptionOnly or archived',
      ),
    response: medicineSchema,
    decides: {
      'params.id': 'record',
      'body.restock': 'content',
      'body.unit': 'content',
      'body.expiryDate': 'content',
      'body.pricePerUnit': 'content',
      'body.maxPerCustomer': 'content',
      'body.category': 'content',
      'body.prescriptionOnly': 'content',
      'body.archived': 'content',
    },
    unnoted: shelf,
  },
  getMedicineHistory: {
    method: 'GET',
    path: '/medicine/:id/history',
    errors: ['not_found'],
    access: { kind: 'restricted', ...keepers },
    summary: "List a medicine's history, with its stock, newest first",
    params: z.object({ id }),
    response: z.array(historyEntry),
    decides: { 'params.id': 'record' },
    unnoted: shelf,
  },
  adjustStock: {
    method: 'POST',
    path: '/medicine/:id/adjustments',
    access: { kind: 'restricted', ...keepers },
    errors: ['not_found', 'stock_short', 'changed_meanwhile', 'idempotency_mismatch', 'in_progress', 'rate_limited'],
    idempotent: true,
    summary: 'Correct the stock of a medicine up or down, with a reason; never below zero',
    params: z.object({ id }),
    body: adjustment,
    response: medicineSchema,
    decides: {
      'params.id': 'record',
      'body.by': 'database',
      'body.reason': 'content',
      'body.seen.onShelf': 'record',
    },
    unnoted: shelf,
  },
  listMovements: {
    method: 'GET',
    path: '/medicine/:id/movements',
    access: { kind: 'restricted', ...keepers },
    errors: ['not_found'],
    paged: true,
    summary: "List what came into a medicine's stock and left it, newest first",
    ...movementList,
    decides: { 'params.id': 'record' },
    unnoted: shelf,
  },
  enterCounterOrder: {
    method: 'POST',
    path: '/orderMedi/counter',
    status: 201,
    errors: ['stock_short', 'price_changed', 'idempotency_mismatch', 'in_progress', 'rate_limited'],
    idempotent: true,
    access: { kind: 'restricted', roles: staff },
    summary: 'Enter an order for a patient who has shown a prescription at the counter',
    body: counterOrder,
    response: order,
    decides: {
      'body.items': 'database',
      'body.prescription': 'content',
      // Staff enter orders for anybody; whose account it joins is decided by the confirmed address.
      'body.customeremail': 'database',
      'body.otherName': 'database',
    },
    shows: { what: 'orders', whose: 'customeremail' },
  },
});
