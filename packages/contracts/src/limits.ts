/** How medicines are counted. */
export const medicineUnits = ['box', 'bottle', 'strip', 'piece', 'ml', 'mg', 'tablet'] as const;
export type MedicineUnit = (typeof medicineUnits)[number];

/** Largest stock figure: what a 32-bit integer on the wire can carry. */
export const maxQuantity = 2_147_483_647;

/** Most different medicines in one order. */
export const maxOrderLines = 100;

/** Most units of one medicine in one order, in however many lines. */
export const maxLineQuantity = 10_000;

/** A medicine that expires within so many days is shown as near its end. */
export const nearExpiryDays = 90;

/** Most days of one report. */
export const maxReportDays = 366;

/** Most medicines that each list of the stock report names; its count tells of all. */
export const stockReportNames = 20;

/** Most lines of one import file. */
export const maxImportLines = 10_000;

/** Most medicines of one import request; a file is sent in such parts. */
export const maxImportBatch = 100;

/** The specialties of the directory's filter. */
export const specialties = ['Cardiologist', 'Emergency Medicine', 'Family Medicine', 'Orthopedic Surgery', 'Pediatrics', 'Dermatology'] as const;
export type Specialty = (typeof specialties)[number];

/** Whether a pharmacist is at work. */
export const pharmacistStatuses = ['active', 'on leave'] as const;

/** What the patient said when their appointment was given to another doctor. */
export const patientChoices = ['agreed', 'not asked', 'asked to move'] as const;
export type PatientChoice = (typeof patientChoices)[number];

/** What a phone number is written with. */
export const phonePattern = /^\+?[\d \u00a0().-]{3,32}$/;

/** Said where a phone number is written otherwise. */
export const phoneMessage = 'A phone number has digits, spaces, + ( ) . - only';

/** Shortest password, in characters. */
export const minPasswordLength = 6;

/** Shortest password of people with a staff role. */
export const minStaffPasswordLength = 12;

/** Seconds for which a proof of who somebody is allows acts that can do harm. */
export const freshProofSeconds = 600;

/** How long an appointment takes in calendars, minutes. */
export const appointmentMinutes = 30;
