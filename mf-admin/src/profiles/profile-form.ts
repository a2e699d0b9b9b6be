import type { ApiProblem } from '@clinic/app-kit';

/** The fields shared by doctors' and pharmacists' profiles. */
export interface ProfileFields {
  readonly name: string;
  readonly qualification: string;
  readonly specialization: string;
  readonly experience: number;
}

/** Experience must be a number of years, at least 0. */
export const experienceRule = {
  valueAsNumber: true,
  validate: (years: number) =>
    Number.isNaN(years) ? 'Experience is required' : years >= 0 || 'Experience must be 0 or more',
} as const;

/**
 * Only the fields changed in a form, so that what somebody else edits meanwhile stays.
 *
 * @param dirty - the form's `dirtyFields`
 */
export function changedFields<Fields extends object>(fields: Fields, dirty: object): Partial<Fields> {
  const names = Object.entries(dirty).flatMap(([name, isDirty]: [string, unknown]) =>
    isDirty === true ? [name as keyof Fields] : [],
  );
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Partial<Fields>;
}

/** The values that a change of some fields replaced, to undo it. */
export function formerValues<Fields extends object>(before: Fields, change: Partial<Fields>): Partial<Fields> {
  const names = Object.keys(change) as (keyof Fields)[];
  return Object.fromEntries(names.map((name) => [name, before[name]])) as Partial<Fields>;
}

/** Calls `show` for each of a form's fields that the server rejected. */
export function eachFieldError<Fields extends object>(
  error: unknown,
  fields: Fields,
  show: (field: keyof Fields, message: string) => void,
): void {
  for (const { field, message } of (error as ApiProblem).problem.errors ?? [])
    if (field in fields) show(field as keyof Fields, message);
}
