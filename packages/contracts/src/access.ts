import type { Role } from './roles.ts';

/**
 * Who may make a call (design section 5), as data, so that the services' authorisation, the API page and the
 * role × call test are derived from the same line.
 *
 * - `everyone`: no session needed.
 * - `idToken`: the bearer of a valid Firebase ID token (or, where `orSession`, of a session) for the e-mail in the body.
 * - `session`: any signed-in user.
 * - `refresh`: the holder of the refresh cookie.
 * - `restricted`: one of `roles`, or the person named by `self` in the request, or an owner of the stored record.
 */
export type AccessRule =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'idToken'; readonly orSession?: boolean }
  | { readonly kind: 'session' }
  | { readonly kind: 'refresh' }
  | RestrictedAccess;

export interface RestrictedAccess {
  readonly kind: 'restricted';
  /** These roles may always. */
  readonly roles: readonly Role[];
  /** The request names a person, who may too; with `role`, only when they have that role. */
  readonly self?: { readonly in: 'query' | 'params' | 'body'; readonly field: string; readonly role?: Role };
  /** The stored record names its owners in these wire fields; the service checks once it has read the record. */
  readonly owners?: readonly string[];
}

/** The part of a session that authorisation looks at. */
export interface Caller {
  readonly role: Role;
  /** Lower case. */
  readonly email: string;
}

/** The parsed parts of a request that a rule can refer to. */
export interface RequestParts {
  readonly query?: unknown;
  readonly params?: unknown;
  readonly body?: unknown;
}

/**
 * Decides a restricted call as far as the request alone tells.
 *
 * @returns `allowed`; `owners` when the stored record must be asked (see {@link isOwner}); or `forbidden`
 */
export function decideAccess(rule: RestrictedAccess, caller: Caller, request: RequestParts): 'allowed' | 'owners' | 'forbidden' {
  if (rule.roles.includes(caller.role)) return 'allowed';
  const { self } = rule;
  if (self && (self.role === undefined || self.role === caller.role)) {
    const part = request[self.in];
    const named = part && typeof part === 'object' ? (part as Record<string, unknown>)[self.field] : undefined;
    if (typeof named === 'string' && named.toLowerCase() === caller.email) return 'allowed';
  }
  return rule.owners ? 'owners' : 'forbidden';
}

/** Whether the record names the caller in one of the rule's owner fields. */
export function isOwner(rule: RestrictedAccess, caller: Caller, record: Readonly<Record<string, unknown>>): boolean {
  return (rule.owners ?? []).some((field) => {
    const owner = record[field];
    return typeof owner === 'string' && owner.toLowerCase() === caller.email;
  });
}
