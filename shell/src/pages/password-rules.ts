import { minPasswordLength } from '@clinic/contracts';
import { all, atLeast, required } from './use-fields.ts';

/** Shortest password of somebody who works at the clinic. */
export const minStaffPasswordLength = 12;

/** Said below the field, before anything is typed. @param staff - whether it is known that the person works here */
export function passwordHint(staff?: boolean): string {
  if (staff) return `At least ${minStaffPasswordLength} characters, because you will see other people’s records. A few words in a row are easy to remember.`;
  return `At least ${minPasswordLength} characters; ${minStaffPasswordLength} if you work at the clinic.`;
}

export function passwordRule(staff?: boolean): (value: string) => string | undefined {
  const length = staff ? minStaffPasswordLength : minPasswordLength;
  return all(required('Password is required'), atLeast(length, `Password must be at least ${length} characters`));
}
