/** Longest single-line text we store, characters. Longer ones are rejected with a message, never cut. */
export const maxText = 200;

/** Most entries returned of a record's history, the latest ones. */
export const mostHistoryEntries = 200;

/** Longest report, days. */
export const maxReportDays = 366;

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

/** Length of an appointment in calendars, minutes: the clinic and svc-messages agree on it. */
export const appointmentMinutes = 30;
