/** Oldest patient, years. */
export const maxAge = 150;

export const ageMessages = {
  whole: 'Age must be a whole number of years',
  least: 'Age must be positive',
  most: `Age must be ${maxAge} or under`,
} as const;

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

/** Longest reason for a visit, in characters. */
export const maxReason = 300;

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
  /** From today, the last day off or exception that can be added; a later one is a typing error. */
  daysAhead: 3_653,
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
