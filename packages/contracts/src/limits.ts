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

/** Longest single-line text we store, characters. Longer ones are rejected with a message, never cut. */
export const maxText = 200;

/** Oldest patient, years. */
export const maxAge = 150;

export const ageMessages = {
  whole: 'Age must be a whole number of years',
  least: 'Age must be positive',
  most: `Age must be ${maxAge} or under`,
} as const;

/** Most entries returned of a record's history, the latest ones. */
export const mostHistoryEntries = 200;

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

/** Longest report, days. */
export const maxReportDays = 366;

/** Most medicines named in each list of the stock report; its count covers all of them. */
export const stockReportNames = 20;

/** Most lines in one import file. */
export const maxImportLines = 10_000;

/** Most medicines in one import request; a file is sent in parts of this size. */
export const maxImportBatch = 100;

/** The specialties of the directory's filter. */
export const specialties = [
  'Cardiologist',
  'Emergency Medicine',
  'Family Medicine',
  'Orthopedic Surgery',
  'Pediatrics',
  'Dermatology',
] as const;
export type Specialty = (typeof specialties)[number];

/** Halves of a day to search for free times; noon belongs to the afternoon. */
export const partsOfDay = ['morning', 'afternoon'] as const;
export type PartOfDay = (typeof partsOfDay)[number];

/** Parts of the day for which a patient can wait. The afternoon begins at 12:00, the evening at 17:00. */
export const waitlistParts = ['morning', 'afternoon', 'evening'] as const;
export type WaitlistPart = (typeof waitlistParts)[number];

/** The part of the day to which a time belongs, 'HH:mm'. */
export function waitlistPartOf(time: string): WaitlistPart {
  if (time < '12:00') return 'morning';
  return time < '17:00' ? 'afternoon' : 'evening';
}

/** Whether a pharmacist is on duty. */
export const pharmacistStatuses = ['active', 'on leave'] as const;

/** The patient's response when their appointment is moved to another doctor. */
export const patientChoices = ['agreed', 'not asked', 'asked to move'] as const;
export type PatientChoice = (typeof patientChoices)[number];

/** {@link patientChoices} in words for staff. */
export const patientChoiceOptions = [
  { value: 'agreed', label: 'They agreed' },
  { value: 'not asked', label: 'They haven’t been asked yet' },
  { value: 'asked to move', label: 'They asked for it' },
] as const satisfies readonly { readonly value: PatientChoice; readonly label: string }[];

/** Format of a phone number: digits of any script, spaces and dashes of any kind; invisible characters are removed later. */
export const phonePattern = /^[\p{Cf}(]*\+?[\p{Nd}\p{Zs}\p{Pd}\p{Cf}\u2212().]+$/u;

/** Message for a phone number in another format. */
export const phoneMessage = 'A phone number can only have digits, spaces and + ( ) . -';

/** Shortest password, in characters. */
export const minPasswordLength = 6;

/** Shortest password of people with a staff role. */
export const minStaffPasswordLength = 12;

/** Seconds for which proof of identity allows sensitive actions. */
export const freshProofSeconds = 600;

/** Longest reason for a visit, in characters. */
export const maxReason = 300;

/** Length of an appointment in calendars, minutes. */
export const appointmentMinutes = 30;

/** Limits of a series of appointments. */
export const seriesLimits = {
  appointments: 52,
  /** Days, weeks or months between two of them. */
  every: 52,
} as const;

/** Limits of one response with the staff's calendar. */
export const calendarLimits = {
  /** Days of one doctor. */
  days: 7,
  /** Doctors of one day. */
  doctors: 24,
  appointments: 2_000,
  /** Patients found at once, and the fewest letters that search for them. */
  patients: 6,
  searchedLetters: 2,
} as const;

/** Limits of a doctor's schedule and of the clinic's holidays. */
export const scheduleLimits = {
  /** Periods with weekly hours of their own. */
  periods: 8,
  spansPerDay: 48,
  /** Bookable times of one day. */
  timesPerDay: 96,
  exceptions: 200,
  daysOff: 366,
  leastSlotMinutes: 1,
  mostSlotMinutes: 480,
  mostBufferMinutes: 240,
  /** The longest span across midnight; a longer one is a typing error. */
  nightMinutes: 720,
  placeLength: 80,
  holidays: 100,
  /** Days of one holiday. */
  holidayDays: 31,
  /** Appointments that no longer fit, in one list: enough to work through at once. The rest appear as these are settled. */
  outside: 200,
} as const;
