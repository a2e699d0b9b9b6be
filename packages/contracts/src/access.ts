import type { Role } from './roles.ts';

/**
 * Who may make a call, as data, so that the services' authorisation, the API page and the role × call test are derived
 * from the same line (docs/identity.md tells the rules).
 *
 * - `everyone`: no session needed.
 * - `idToken`: the bearer of a valid Firebase ID token (or, where `orSession`, of a session) for the e-mail in the body.
 * - `session`: any signed-in user.
 * - `refresh`: the holder of the refresh cookie.
 * - `restricted`: one of `roles`, or the person named by `self` in the request, or an owner of the stored record.
 *
 * Records belong to accounts. An e-mail address in a request says whose records are meant, never whose they are: a handler
 * that lets someone in as `self` reads what belongs to the caller's account.
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
  /** The request names a person by e-mail, who may too; with `role`, only when they have that role. */
  readonly self?: { readonly in: 'query' | 'params' | 'body'; readonly field: string; readonly role?: Role };
  /** The stored record belongs to these people; the service checks once it has read the record. */
  readonly owners?: readonly RecordOwner[];
  /**
   * The caller must have proved who they are within the last `freshProofSeconds`: on every call, or only when it is about
   * someone else.
   */
  readonly freshProof?: 'always' | 'forOthers';
}

/** Someone a record belongs to. */
export interface RecordOwner {
  /** What they are to the record, e.g. `patient`; the record's {@link Ownership} has their account under this name. */
  readonly as: string;
  /** Only while they have this role. */
  readonly role?: Role;
}

/** The accounts a record belongs to, by what they are to it; `undefined`: nobody's account yet. */
export type Ownership = Readonly<Record<string, string | undefined>>;

/** The part of a session that authorisation looks at. */
export interface Caller {
  /** The account. */
  readonly id: string;
  readonly role: Role;
  /** Lower case. Proves nothing unless `confirmed`. */
  readonly email: string;
  /** The person has shown that they read the mail of this address. */
  readonly confirmed: boolean;
}

/** The parsed parts of a request that a rule can refer to. */
export interface RequestParts {
  readonly query?: unknown;
  readonly params?: unknown;
  readonly body?: unknown;
}

/** Whether the caller has one of the roles. Rights over other people's records need a confirmed e-mail address. */
export function hasRole(caller: Caller, roles: readonly Role[]): boolean {
  return roles.includes(caller.role) && (caller.confirmed || caller.role === 'patient');
}

/** Whether the request names the caller's own e-mail address where the rule looks for it. */
export function namesSelf({ self }: RestrictedAccess, caller: Caller, request: RequestParts): boolean {
  if (!self || (self.role !== undefined && !hasRole(caller, [self.role]))) return false;
  const part = request[self.in];
  const named = part && typeof part === 'object' ? (part as Record<string, unknown>)[self.field] : undefined;
  return typeof named === 'string' && named.toLowerCase() === caller.email;
}

/**
 * Decides a restricted call as far as the request alone tells.
 *
 * @returns `allowed`; `owners` when the stored record must be asked (see {@link isOwner}); or `forbidden`
 */
export function decideAccess(rule: RestrictedAccess, caller: Caller, request: RequestParts): 'allowed' | 'owners' | 'forbidden' {
  if (hasRole(caller, rule.roles) || namesSelf(rule, caller, request)) return 'allowed';
  return rule.owners ? 'owners' : 'forbidden';
}

/** Whether the record belongs to the caller's account in one of the ways that the rule names. */
export function isOwner(rule: RestrictedAccess, caller: Caller, ownership: Ownership): boolean {
  return (rule.owners ?? []).some(({ as, role }) => ownership[as] === caller.id && (role === undefined || hasRole(caller, [role])));
}
