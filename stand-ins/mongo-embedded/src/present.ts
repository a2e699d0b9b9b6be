/**
 * A value that the calling code knows to be defined, such as an array element within bounds.
 * @throws Error if it isn't, which is a bug in this program, never bad input
 */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('an internal value is missing');
  return value;
}
