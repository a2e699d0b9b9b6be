import type { Right, Role } from './roles.ts';

/**
 * Who may make a call, as data. The services' authorisation and the role × call test read this one definition.
 *
 * - `everyone`: no session needed.
 * - `idToken`: the bearer of a valid Firebase ID token (or, with `orSession`, of a session) for the email in the body.
 * - `session`: any signed-in user, with a fresh proof of identity if it says so.
 * - `refresh`: the holder of the refresh cookie.
 * - `restricted`: one of `roles`, a holder of one of `rights`, or the person named by `self` in the request, or an owner of the stored record.
 *
 * Records belong to accounts. An email address in a request says whose records are meant, not who owns them: a handler
 * that admits a caller as `self` reads the records of the caller's account.
 */
export type AccessRule =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'idToken'; readonly orSession?: boolean }
  | SessionAccess
  | { readonly kind: 'refresh' }
  | RestrictedAccess;

export interface SessionAccess {
  readonly kind: 'session';
  /** The caller must have proved their identity within the last `freshProofSeconds`. */
  readonly freshProof?: 'always';
}

/** Who is always allowed. */
export interface Allowed {
  readonly roles: readonly Role[];
  /** Whoever holds one of these rights, whatever their role. */
  readonly rights?: readonly Right[];
}

export interface RestrictedAccess extends Allowed {
  readonly kind: 'restricted';
  /** The person whose email the request names is allowed; with `role`, only if they have that role. */
  readonly self?: { readonly in: 'query' | 'params' | 'body'; readonly field: string; readonly role?: Role };
  /** Owners of the stored record are allowed; the service checks this after reading the record. */
  readonly owners?: readonly RecordOwner[];
  /**
   * The caller must have proved their identity within the last `freshProofSeconds`: for every call, or only for calls
   * that concern somebody else.
   */
  readonly freshProof?: 'always' | 'forOthers';
}

/** An owner of a record. */
export interface RecordOwner {
  /**
   * Their relation to the record, e.g. `patient`; the record's {@link Ownership} holds their account under this name.
   */
  readonly as: string;
  /** Only while they have this role. */
  readonly role?: Role;
}

/** The accounts that own a record, by relation; `undefined` if not linked to an account yet. */
export type Ownership = Readonly<Record<string, string | undefined>>;

/** The part of a session that authorisation needs. */
export interface Caller {
  /** The account. */
  readonly id: string;
  readonly role: Role;
  /** Rights beside the role, in effect now; a newer release may know more of them. */
  readonly rights?: readonly string[];
  /** Lower case. Proves nothing unless `confirmed`. */
  readonly email: string;
  /** The person has shown that they can read mail to this address. */
  readonly confirmed: boolean;
}

/** The parsed parts of a request that a rule can refer to. */
export interface RequestParts {
  readonly query?: unknown;
  readonly params?: unknown;
  readonly body?: unknown;
}

/** Whether the caller has one of the roles. Rights over other people's records need a confirmed email address. */
export function hasRole(caller: Caller, roles: readonly Role[]): boolean {
  return roles.includes(caller.role) && (caller.confirmed || caller.role === 'patient');
}

/** Whether role or rights let the caller in, whoever's records they are. */
export function isAllowed(caller: Caller, { roles, rights = [] }: Allowed): boolean {
  return hasRole(caller, roles) || (caller.confirmed && rights.some((right) => caller.rights?.includes(right)));
}

/** Whether the request names the caller's own email address in the field the rule refers to. */
export function namesSelf({ self }: RestrictedAccess, caller: Caller, request: RequestParts): boolean {
  if (!self || (self.role !== undefined && !hasRole(caller, [self.role]))) return false;
  const part = request[self.in];
  const named = part && typeof part === 'object' ? (part as Record<string, unknown>)[self.field] : undefined;
  return typeof named === 'string' && named.toLowerCase() === caller.email;
}

/**
 * Decides a restricted call as far as the request alone allows.
 *
 * @returns `allowed`; `owners` if it depends on the stored record (see {@link isOwner}); or `forbidden`
 */
export function decideAccess(
  rule: RestrictedAccess,
  caller: Caller,
  request: RequestParts,
): 'allowed' | 'owners' | 'forbidden' {
  if (isAllowed(caller, rule) || namesSelf(rule, caller, request)) return 'allowed';
  return rule.owners ? 'owners' : 'forbidden';
}

/** Whether the caller's account owns the record in one of the relations the rule lists. */
export function isOwner(rule: RestrictedAccess, caller: Caller, ownership: Ownership): boolean {
  return (rule.owners ?? []).some(
    ({ as, role }) => ownership[as] === caller.id && (role === undefined || hasRole(caller, [role])),
  );
}
