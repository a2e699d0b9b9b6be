/**
 * Where a link from a mail continues after its work is done.
 *
 * @param requested - the address in the mail
 * @returns a page of ours; the dashboard if the mail names none, or another site's
 */
export function continueTo(requested: string | null): string {
  if (requested === null || !URL.canParse(requested)) return '/dash';
  const { origin, pathname, search } = new URL(requested);
  // `//x` would be another site.
  return origin === location.origin ? pathname.replace(/^\/+/, '/') + search : '/dash';
}
