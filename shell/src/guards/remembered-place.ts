/** What a guard stores in the history entry of /login. */
export interface RememberedPlace {
  /** Path, query and hash of the requested page. */
  readonly from: string;
}

/** The page to return to after login. */
export function rememberPlace({
  pathname,
  search,
  hash,
}: {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}): RememberedPlace {
  return { from: pathname + search + hash };
}

/**
 * @param state - of the location; it may be anything, since history entries outlive the page that wrote them
 * @returns the requested page if a guard stopped the visitor: always one of ours, never another site
 */
export function rememberedPlace(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined;
  return typeof state.from === 'string' && isOurs(state.from) ? state.from : undefined;
}

/** One leading slash and no backslash or control character: browsers treat `//host` and `/\host` as other sites. */
function isOurs(place: string): boolean {
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(place) && new URL(place, location.href).origin === location.origin;
}
