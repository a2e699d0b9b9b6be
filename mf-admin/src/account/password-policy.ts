import { minPasswordLength } from '@clinic/contracts/limits';

/** Shortest password of somebody who works at the clinic. */
const minStaffPasswordLength = 12;

/** Said below the field, before anything is typed. @param staff - whether the person works here */
export function passwordHint(staff: boolean): string {
  return staff
    ? `At least ${minStaffPasswordLength} characters, because you see other people’s records. A few words in a row are easy to remember.`
    : `At least ${minPasswordLength} characters. A few words in a row are easy to remember.`;
}

/** @returns what is wrong with a new password */
export function passwordProblem(password: string, staff: boolean): string | undefined {
  const length = staff ? minStaffPasswordLength : minPasswordLength;
  if (password === '') return 'Password is required';
  return password.length < length ? `Password must be at least ${length} characters` : undefined;
}
