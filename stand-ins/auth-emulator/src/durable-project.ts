import { recipientOf } from './recipient.ts';
import { AgentProjectState, ApiError } from './firebase-internals.ts';
import { KnownDevices } from './known-devices.ts';
import type { OutOfBandCode, ProjectState, StoredUser, UserFields } from './firebase-internals.ts';

/** The stored state of a project. */
export interface ProjectSnapshot {
  readonly version: 1;
  readonly projectId: string;
  readonly users: readonly StoredUser[];
  readonly codes: readonly OutOfBandCode[];
  /** Signing key for known devices, in base64; missing in files from earlier releases. */
  readonly deviceKey?: string;
}

/** The emulator updates these on every sign-in; losing the latest ones in a crash does no harm. */
const SIGN_IN_TRACES: ReadonlySet<string> = new Set(['lastLoginAt', 'lastRefreshAt']);

/** The emulator derives these providers from the account's password and phone number. */
const DERIVED_PROVIDERS: ReadonlySet<string> = new Set(['password', 'phone']);

/** Lifetime of mailed codes, in hours, as in a real project; three days by default. */
const codeLifetimes: Readonly<Record<string, number>> = { PASSWORD_RESET: 1 };
const defaultLifetime = 72;

/** Maximum number of codes of one kind per address, and in total; the oldest are dropped. */
const codesPerMailbox = 5;
const mostCodes = 1_000;

/** A project that reports its changes and can be saved and restored. */
export class DurableProject extends AgentProjectState {
  readonly #projectId: string;
  /** The devices that have signed in before. */
  devices = new KnownDevices();
  #changed: (durable: boolean) => void = () => {};
  #restoring = false;

  constructor(projectId: string) {
    super(projectId);
    this.#projectId = projectId;
    // On by default in projects created since 2023-09-15: responses don't reveal whether an address has an account.
    this.enableImprovedEmailPrivacy = true;
  }

  /**
   * @param listener called on each change from now on, with whether the response has to wait until the change is stored
   */
  onChange(listener: (durable: boolean) => void): void {
    this.#changed = listener;
  }

  snapshot(): ProjectSnapshot {
    return {
      version: 1,
      projectId: this.#projectId,
      users: [...this.users.values()],
      codes: [...this.oobs.values()],
      deviceKey: this.devices.key.toString('base64'),
    };
  }

  /**
   * Restores a snapshot's accounts and codes.
   *
   * @throws Error if it has another project or format
   */
  restore(snapshot: unknown): void {
    if (!isSnapshot(snapshot)) throw new Error('this is not a snapshot of accounts');
    if (snapshot.projectId !== this.#projectId) {
      throw new Error(
        `these are the accounts of project ${snapshot.projectId}, but FIREBASE_PROJECT_ID is ${this.#projectId}`,
      );
    }
    this.#restoring = true;
    for (const { localId, providerUserInfo = [], ...fields } of snapshot.users) {
      // The emulator adds the derived providers again: if kept, they would double with every restart.
      const linked = providerUserInfo.filter(({ providerId }) => !DERIVED_PROVIDERS.has(providerId));
      this.overwriteUserWithLocalId(localId, { ...fields, providerUserInfo: linked });
    }
    this.#restoring = false;
    if (snapshot.deviceKey !== undefined) this.devices = new KnownDevices(Buffer.from(snapshot.deviceKey, 'base64'));
    for (const code of snapshot.codes) this.oobs.set(code.oobCode, code);
  }

  // Creating and overwriting an account also call this.
  override updateUserByLocalId(localId: string, fields: Partial<UserFields>, options?: object): StoredUser {
    // Choosing a password counts as signing in: the tokens in the response must not be older than the password.
    const isChosen = fields['passwordHash'] !== undefined && !this.#restoring;
    const user = super.updateUserByLocalId(
      localId,
      { ...fields, ...(isChosen && { lastLoginAt: String(Date.now()) }) },
      options,
    );
    // Unused reset links become invalid.
    if (isChosen) this.#dropCodes((code) => code.requestType === 'PASSWORD_RESET' && code.email === user.email);
    this.#changed(!Object.keys(fields).every((field) => SIGN_IN_TRACES.has(field)));
    return user;
  }

  override createRefreshTokenFor(...args: Parameters<ProjectState['createRefreshTokenFor']>): string {
    return encoded({ ...decoded(super.createRefreshTokenFor(...args)), issuedAt: Date.now() });
  }

  // A real project revokes refresh tokens on a new password or address; the emulator doesn't.
  override validateRefreshToken(token: string): ReturnType<ProjectState['validateRefreshToken']> {
    const found = super.validateRefreshToken(token);
    const { issuedAt } = decoded(token);
    const validSince = Number(found.user.validSince ?? 0);
    // Tokens of earlier releases have no issue time.
    if (typeof issuedAt === 'number' && Math.floor(issuedAt / 1_000) < validSince)
      throw new ApiError(400, 'INVALID_ARGUMENT', 'TOKEN_EXPIRED', 'invalid');
    return found;
  }

  override deleteUser(user: StoredUser): void {
    super.deleteUser(user);
    const email = user.email;
    this.#dropCodes((code) => code.email === email || code.newEmail === email);
    this.#changed(true);
  }

  override deleteAllAccounts(): void {
    super.deleteAllAccounts();
    this.#changed(true);
  }

  override createOob(...args: Parameters<ProjectState['createOob']>): OutOfBandCode {
    const code = super.createOob(...args);
    code.createdAt = new Date().toISOString();
    const alike = [...this.oobs.values()].filter(
      (other) => other.requestType === code.requestType && recipientOf(other) === recipientOf(code),
    );
    const tooMany = new Set([...alike.slice(0, -codesPerMailbox), ...[...this.oobs.values()].slice(0, -mostCodes)]);
    this.#dropCodes((other) => tooMany.has(other) || !isAlive(other));
    this.#changed(true);
    return code;
  }

  /** The unused codes that haven't expired, oldest first. */
  openCodes(): OutOfBandCode[] {
    return [...this.oobs.values()].filter(isAlive);
  }

  override validateOobCode(oobCode: string): OutOfBandCode | undefined {
    const code = super.validateOobCode(oobCode);
    return code && isAlive(code) ? code : undefined;
  }

  /** Whether the account of an ID token currently has this email address. */
  hasEmail(idToken: string, email: string): boolean {
    const user = this.users.get(accountOf(idToken));
    return user?.email?.toLowerCase() === email.trim().toLowerCase();
  }

  /**
   * Mails an account's former address a link that reverts the change. The emulator itself only does so for unverified
   * changes.
   */
  noticeOfChange(from: string, to: string): void {
    const user = this.getUserByEmail(to);
    if (!user) return;
    // The emulator finds the account by its former address when the link is used.
    this.updateUserByLocalId(user.localId, { initialEmail: from, validSince: nowInSeconds() });
    this.createOob(
      from,
      to,
      'RECOVER_EMAIL',
      (code) =>
        `http://localhost/emulator/action?${new URLSearchParams({ mode: 'recoverEmail', oobCode: code }).toString()}`,
    );
  }

  /** Revokes earlier tokens, as a real project does when an account's address has changed. */
  revokeTokens(email: string): void {
    const user = this.getUserByEmail(email);
    if (user) this.updateUserByLocalId(user.localId, { validSince: nowInSeconds() });
  }

  #dropCodes(which: (code: OutOfBandCode) => boolean): void {
    for (const code of this.oobs.values()) if (which(code)) this.oobs.delete(code.oobCode);
  }

  override deleteOobCode(code: string): boolean {
    const existed = super.deleteOobCode(code);
    this.#changed(true);
    return existed;
  }
}

const decoded = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token, 'base64').toString()) as Record<string, unknown>;
const encoded = (record: Record<string, unknown>): string => Buffer.from(JSON.stringify(record)).toString('base64');

const nowInSeconds = (): string => String(Math.floor(Date.now() / 1_000));

function isAlive({ requestType, createdAt }: OutOfBandCode): boolean {
  const hours = codeLifetimes[requestType] ?? defaultLifetime;
  return createdAt === undefined || Date.parse(createdAt) > Date.now() - hours * 3_600_000;
}

/** The account of an ID token; the emulator's tokens are unsigned. */
function accountOf(idToken: string): string {
  try {
    const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as {
      readonly user_id?: unknown;
    } | null;
    return typeof claims?.user_id === 'string' ? claims.user_id : '';
  } catch {
    // Not a token; the operation reports that itself.
    return '';
  }
}

function isSnapshot(value: unknown): value is ProjectSnapshot {
  if (!value || typeof value !== 'object') return false;
  const { version, users, codes } = value as Partial<ProjectSnapshot>;
  return version === 1 && Array.isArray(users) && Array.isArray(codes);
}
