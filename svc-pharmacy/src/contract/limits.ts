/** Units in which medicines are counted. */
export const medicineUnits = ['box', 'bottle', 'strip', 'piece', 'ml', 'mg', 'tablet'] as const;
export type MedicineUnit = (typeof medicineUnits)[number];

/** What medicines are for, as the store's filter offers it. */
export const medicineCategories = [
  'Pain and fever',
  'Antibiotics',
  'Heart and blood pressure',
  'Diabetes',
  'Stomach',
  'Cough, cold and allergy',
  'Skin and wounds',
  'Vitamins',
  'Devices and dressings',
  'Other',
] as const;
export type MedicineCategory = (typeof medicineCategories)[number];

/** Largest stock figure: a 32-bit integer on the wire. */
export const maxQuantity = 2_147_483_647;

/** Most medicines that a check of the stock names; its count covers all of them. */
export const stockCheckNames = 20;

/** Most different medicines in one order. */
export const maxOrderLines = 100;

/** Most back-in-stock requests that a patient can have at a time. */
export const maxStockRequests = 20;

/** Most units of one medicine in one order, over all its lines. */
export const maxLineQuantity = 10_000;

/** A medicine is shown as expiring soon this many days before its expiry. */
export const nearExpiryDays = 90;

/** Most medicines named in each list of the stock report; its count covers all of them. */
export const stockReportNames = 20;

/** Most lines in one import file. */
export const maxImportLines = 10_000;

/** Most medicines in one import request; a file is sent in parts of this size. */
export const maxImportBatch = 100;
