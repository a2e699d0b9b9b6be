import { z } from 'zod';
import {
  maxImportBatch,
  maxLineQuantity,
  maxOrderLines,
  medicineCategories,
  medicineUnits,
} from '@clinic/contracts/limits';
import { medicineStatuses } from '@clinic/contracts/transitions';
import { email, id, isoDate, lines, optionalText, paging, phone, text } from '@clinic/contracts/schemas/fields';
import { changedLists, eventList, historyEntry } from '@clinic/contracts/schemas/history';
import { looksAt } from '@clinic/contracts/schemas/looks';
import { erasure, exportOfPerson } from '@clinic/contracts/schemas/personal-data';
import { reportPeriod } from '@clinic/contracts/schemas/report-period';
import { price, quantity } from './figures.ts';
import { counterOrder, order, orderedItems, orderStatus, recipientName } from './order-schemas.ts';
import { orderReport, stockReport } from './reports.ts';
import { adjustment, movementList, stockCheck } from './stock-schemas.ts';

/** A medicine on the wire: its numbers are canonical extended JSON (docs/product.md, Texts). */
export const medicineSchema = z.object({
  _id: z.object({ $oid: id }),
  pharmacistEmail: z.string(),
  medicine: z.object({
    medicineId: z.string(),
    name: z.string(),
    manufacturer: z.string(),
    quantity: z.object({ $numberInt: z.string() }),
    unit: z.string(),
    /** 'yyyy-mm-dd' */
    expiryDate: z.string(),
    pricePerUnit: z.object({ $numberDouble: z.string() }),
    /** Units one customer may have on order, as set by a pharmacist; absent if the unit's default applies. */
    maxPerCustomer: z.number().optional(),
    /** What it is for; absent if no pharmacist has set it, and in services of earlier releases. */
    category: z.string().optional(),
    /** Sold only at the counter, to somebody with a prescription. */
    prescriptionOnly: z.literal(true).optional(),
  }),
  /** 'yyyy-mm-dd' */
  addedDate: z.string(),
  status: z.enum(medicineStatuses),
  /** No longer in the store; only lists that ask for archived medicines have it. */
  archived: z.literal(true).optional(),
  /** Units one customer may have on order: the medicine's own limit, or the default for its unit. */
  customerLimit: z.number().optional(),
  /** Units that pending orders hold, no longer in `quantity`; only in the answer about a single medicine. */
  held: z.number().optional(),
});
export type Medicine = z.output<typeof medicineSchema>;

const unit = z.enum(medicineUnits, { error: `Unit must be one of ${medicineUnits.join(', ')}` });

const category = z.enum(medicineCategories, { error: `Category must be one of ${medicineCategories.join(', ')}` });

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

/** Comma-separated ids in a query. */
const medicineIds = z
  .string()
  .transform((list) =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
  .pipe(z.array(z.string().max(40)).max(maxOrderLines, `Ask for at most ${maxOrderLines} medicines`));

/** A request for a message when a medicine is back in stock. */
export const stockRequest = z.object({
  _id: id,
  /** The medicine's `_id`. */
  medicine: id,
  /** ISO instant. */
  askedAt: z.string(),
});
export type StockRequest = z.output<typeof stockRequest>;

export const pharmacySchemas = {
  listMedicines: {
    query: z.object({
      ...paging,
      status: z.enum(medicineStatuses).optional(),
      /**
       * `soon`: can be sold for at most `nearExpiryDays` more days by the clinic's clock; `expired`: can't be sold any
       * more.
       */
      expiry: z.enum(['soon', 'expired']).optional(),
      category: category.optional(),
      /** Only archived medicines, which no other list has. */
      archived: z.literal('true', { error: 'Archived must be true or left out' }).optional(),
      /** Only these ids, comma-separated. */
      medicineIds: medicineIds.optional(),
    }),
    response: z.array(medicineSchema),
  },
  addMedicine: {
    // `status` is accepted because front-ends send it, and ignored: it follows from the stock.
    body: z.object({
      pharmacistEmail: z.string().optional(),
      medicine: newMedicine,
      addedDate: isoDate('Added date').optional(),
      status: z.string().optional(),
    }),
    response: medicineSchema,
  },
  checkMedicineImport: { body: importedMedicines, response: z.object({ acceptable: z.number() }) },
  importMedicines: { body: importedMedicines, response: z.object({ added: z.number() }) },
  listStockRequests: { query: z.object(paging).omit({ q: true }), response: z.array(stockRequest) },
  askAboutStock: { params: z.object({ id }), response: stockRequest },
  stopAskingAboutStock: { params: z.object({ id }), response: z.undefined() },
  checkStock: { response: stockCheck },
  adjustStock: { params: z.object({ id }), body: adjustment, response: medicineSchema },
  listMovements: movementList,
  getMedicine: { params: z.object({ id }), response: medicineSchema },
  updateMedicine: {
    params: z.object({ id }),
    body: z
      .object({
        /** Units received, added to the stock. */
        restock: z
          .number()
          .int('Quantity must be a whole number')
          .min(1, 'Enter 1 or more')
          .max(1_000_000, 'Enter 1,000,000 or less')
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
  },
  listOrders: {
    query: z.object({
      ...paging,
      status: orderStatus.optional(),
      email: email.optional(),
      /** First day, by the clinic's clock. */
      from: isoDate('From').optional(),
      /** Only unusual orders, which staff should check first. */
      unusual: z.literal('true', { error: 'Unusual must be true or left out' }).optional(),
    }),
    response: z.array(order),
  },
  placeOrder: {
    // Names, dates, status and prices from the client are ignored; the pharmacy's own records count.
    body: z.object({
      items: orderedItems,
      deliveryAddress: lines('Address'),
      customeremail: email,
      customerPhone: phone,
      recipientName,
      orderDate: z.string().max(40).optional(),
      status: z.string().optional(),
    }),
    response: order,
  },
  enterCounterOrder: { body: counterOrder, response: order },
  exportPharmacyData: exportOfPerson,
  erasePharmacyData: erasure,
  listPharmacyLooks: looksAt,
  watchPharmacy: { response: changedLists },
  changeOrderStatus: {
    params: z.object({ id }),
    body: z.object({
      newStatus: orderStatus,
      /** The status that was on screen: if it has changed since, the change is rejected. */
      seen: z.object({ status: orderStatus }).optional(),
    }),
    response: order,
  },
  getMedicineHistory: { params: z.object({ id }), response: z.array(historyEntry) },
  getOrderHistory: { params: z.object({ id }), response: z.array(historyEntry) },
  listPharmacyEvents: eventList,
  reportOrders: { query: reportPeriod, response: orderReport },
  reportStock: { response: stockReport },
} as const;
