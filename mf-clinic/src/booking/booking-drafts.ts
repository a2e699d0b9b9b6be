import type { BookingFields } from './booking-fields.ts';

/**
 * What was typed into forms that were left unsent, for as long as the page lives: an expired session leads to the login
 * page and back, and a look at another doctor is no reason to type one's address again. Kept in memory only, as it is
 * nobody else's business who uses this browser next.
 */
const drafts = new Map<string, BookingFields>();

/** Whose form for which doctor it is. */
export function draftKey(email: string | undefined, doctorId: string): string {
  return `${email ?? ''} ${doctorId}`;
}

export function draftOf(key: string): BookingFields | undefined {
  return drafts.get(key);
}

export function keepDraft(key: string, fields: BookingFields): void {
  drafts.set(key, fields);
}

export function dropDraft(key: string): void {
  drafts.delete(key);
}
