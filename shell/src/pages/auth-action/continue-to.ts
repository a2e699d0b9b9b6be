/**
 * Where a link from a mail leads on to, once it has done its work.
 *
 * @param wanted - the address that the mail carries
 * @returns a page of ours; the dashboard where the mail names none, or another site's
 */
export function continueTo(wanted: string | null): string {
  if (wanted === null || !URL.canParse(wanted)) return '/dash';
  const { origin, pathname, search } = new URL(wanted);
  return origin === location.origin ? pathname + search : '/dash';
}
