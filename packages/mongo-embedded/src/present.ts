/**
 * A value that the code around it knows to be there, such as an array element within bounds.
 * @throws Error where that was wrong: a defect of this program, never of its input
 */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('an internal value is missing');
  return value;
}
