/**
 * Somebody's age on a day, in full years; born on 29 February, they are a year older on 1 March of other years.
 *
 * @param day - 'yyyy-mm-dd'
 * @param dateOfBirth - 'yyyy-mm-dd'
 */
export function ageOn(day: string, dateOfBirth: string): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return day.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}
