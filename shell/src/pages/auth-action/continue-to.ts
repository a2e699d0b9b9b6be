/**
 * Where a link from a mail continues after its work is done.
 *
 * @param wanted - the address in the mail
 * @returns a page of ours; the dashboard if the mail names none, or another site's
 */
export function continueTo(wanted: string | null): string {
  if (wanted === null || !URL.canParse(wanted)) return '/dash';
  const { origin, pathname, search } = new URL(wanted);
  return origin === location.origin ? pathname + search : '/dash';
}
