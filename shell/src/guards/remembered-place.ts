/** What a guard leaves in the history entry of /login. */
export interface RememberedPlace {
  /** Path, query and hash of the page the visitor was going to. */
  readonly from: string;
}

/** The place to come back to after the login. */
export function rememberPlace({ pathname, search, hash }: { readonly pathname: string; readonly search: string; readonly hash: string }): RememberedPlace {
  return { from: pathname + search + hash };
}

/**
 * @param state - of the location; it may be anything, history entries outlive the page that wrote them
 * @returns where the visitor was going, if a guard stopped them: a page of ours, never another site
 */
export function rememberedPlace(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined;
  return typeof state.from === 'string' && isOurs(state.from) ? state.from : undefined;
}

/** One slash at the beginning and no backslash or control: browsers read `//host` and `/\host` as other sites. */
function isOurs(place: string): boolean {
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(place) && new URL(place, location.href).origin === location.origin;
}
