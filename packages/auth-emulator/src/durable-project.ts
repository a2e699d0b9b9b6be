import { recipientOf } from './demo-mails.ts';
import { AgentProjectState, ApiError } from './firebase-internals.ts';
import { KnownDevices } from './known-devices.ts';
import type { OutOfBandCode, ProjectState, StoredUser, UserFields } from './firebase-internals.ts';

/** What is kept of a project. */
export interface ProjectSnapshot {
  readonly version: 1;
  readonly projectId: string;
  readonly users: readonly StoredUser[];
  readonly codes: readonly OutOfBandCode[];
  /** Key of the devices that are known, in base64; files from before there were any have none. */
  readonly deviceKey?: string;
}

/** The emulator refreshes these on every sign-in; losing the last ones in a crash harms nobody. */
const SIGN_IN_TRACES: ReadonlySet<string> = new Set(['lastLoginAt', 'lastRefreshAt']);

/** The emulator derives these providers from the account's password and phone number. */
const DERIVED_PROVIDERS: ReadonlySet<string> = new Set(['password', 'phone']);

/** Hours for which the code of a mail works, as in a real project; three days where nothing is said. */
const lifeOfCodes: Readonly<Record<string, number>> = { PASSWORD_RESET: 1 };
const usualLife = 72;

/** Codes kept of one kind for one address, and of all together; the oldest go. */
const codesPerMailbox = 5;
const mostCodes = 1_000;

/** A project that reports each change and can be stored and restored. */
export class DurableProject extends AgentProjectState {
  readonly #projectId: string;
  /** The devices from which somebody has signed in before. */
  devices = new KnownDevices();
  #changed: (durable: boolean) => void = () => {};
  #restoring = false;

  constructor(projectId: string) {
    super(projectId);
    this.#projectId = projectId;
    // On by default in projects created since 2023-09-15: answers don't tell whether an address has an account.
    this.enableImprovedEmailPrivacy = true;
  }

  /** @param listener learns of each change from now on, and whether an answer to it has to wait until it is stored */
  onChange(listener: (durable: boolean) => void): void {
    this.#changed = listener;
  }

  snapshot(): ProjectSnapshot {
    return { version: 1, projectId: this.#projectId, users: [...this.users.values()], codes: [...this.oobs.values()], deviceKey: this.devices.key.toString('base64') };
  }

  /**
   * Brings back a snapshot's accounts and codes.
   *
   * @throws Error when it is of another project or format
   */
  restore(snapshot: unknown): void {
    if (!isSnapshot(snapshot)) throw new Error('this is not a snapshot of accounts');
    if (snapshot.projectId !== this.#projectId) {
      throw new Error(`these are the accounts of project ${snapshot.projectId}, but FIREBASE_PROJECT_ID is ${this.#projectId}`);
    }
    this.#restoring = true;
    for (const { localId, providerUserInfo = [], ...fields } of snapshot.users) {
      // The derived providers are added to the same list again: kept, they would double with every restart.
      const linked = providerUserInfo.filter(({ providerId }) => !DERIVED_PROVIDERS.has(providerId));
      this.overwriteUserWithLocalId(localId, { ...fields, providerUserInfo: linked });
    }
    this.#restoring = false;
    if (snapshot.deviceKey !== undefined) this.devices = new KnownDevices(Buffer.from(snapshot.deviceKey, 'base64'));
    for (const code of snapshot.codes) this.oobs.set(code.oobCode, code);
  }

  // Creating and overwriting an account end here too.
  override updateUserByLocalId(localId: string, fields: Partial<UserFields>, options?: object): StoredUser {
    // Whoever chooses a password has just shown who they are: the tokens of the answer must not count as older than it.
    const isChosen = fields['passwordHash'] !== undefined && !this.#restoring;
    const user = super.updateUserByLocalId(localId, { ...fields, ...(isChosen && { lastLoginAt: String(Date.now()) }) }, options);
    // Links to choose one that still lie in a mailbox are over with it.
    if (isChosen) this.#dropCodes((code) => code.requestType === 'PASSWORD_RESET' && code.email === user.email);
    this.#changed(!Object.keys(fields).every((field) => SIGN_IN_TRACES.has(field)));
    return user;
  }

  override createRefreshTokenFor(...args: Parameters<ProjectState['createRefreshTokenFor']>): string {
    return encoded({ ...decoded(super.createRefreshTokenFor(...args)), issuedAt: Date.now() });
  }

  // A real project ends refresh tokens with a new password or address; the emulator lets them live.
  override validateRefreshToken(token: string): ReturnType<ProjectState['validateRefreshToken']> {
    const found = super.validateRefreshToken(token);
    const { issuedAt } = decoded(token);
    const validSince = Number(found.user.validSince ?? 0);
    // Those of earlier releases don't say when they were issued.
    if (typeof issuedAt === 'number' && Math.floor(issuedAt / 1_000) < validSince) throw new ApiError(400, 'INVALID_ARGUMENT', 'TOKEN_EXPIRED', 'invalid');
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
    const alike = [...this.oobs.values()].filter((other) => other.requestType === code.requestType && recipientOf(other) === recipientOf(code));
    const tooMany = new Set([...alike.slice(0, -codesPerMailbox), ...[...this.oobs.values()].slice(0, -mostCodes)]);
    this.#dropCodes((other) => tooMany.has(other) || !isAlive(other));
    this.#changed(true);
    return code;
  }

  /** The codes that haven't been used and still work, the oldest first. */
  openCodes(): OutOfBandCode[] {
    return [...this.oobs.values()].filter(isAlive);
  }

  override validateOobCode(oobCode: string): OutOfBandCode | undefined {
    const code = super.validateOobCode(oobCode);
    return code && isAlive(code) ? code : undefined;
  }

  /** Whether the account of an ID token has this e-mail address now. */
  hasEmail(idToken: string, email: string): boolean {
    const user = this.users.get(accountOf(idToken));
    return user?.email?.toLowerCase() === email.trim().toLowerCase();
  }

  /** Mails the former address of an account a link that takes the change back. The emulator itself does so only for changes without proof. */
  noticeOfChange(from: string, to: string): void {
    const user = this.getUserByEmail(to);
    if (!user) return;
    // By the former address the emulator finds the account when the link is used.
    this.updateUserByLocalId(user.localId, { initialEmail: from, validSince: nowInSeconds() });
    this.createOob(from, to, 'RECOVER_EMAIL', (code) => `http://localhost/emulator/action?${new URLSearchParams({ mode: 'recoverEmail', oobCode: code }).toString()}`);
  }

  /** Tokens from before are valid no more, as in a real project once the address of an account has changed. */
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

const decoded = (token: string): Record<string, unknown> => JSON.parse(Buffer.from(token, 'base64').toString()) as Record<string, unknown>;
const encoded = (record: Record<string, unknown>): string => Buffer.from(JSON.stringify(record)).toString('base64');

const nowInSeconds = (): string => String(Math.floor(Date.now() / 1_000));

function isAlive({ requestType, createdAt }: OutOfBandCode): boolean {
  const hours = lifeOfCodes[requestType] ?? usualLife;
  return createdAt === undefined || Date.parse(createdAt) > Date.now() - hours * 3_600_000;
}

/** The account that an ID token is of; the emulator's tokens are unsigned. */
function accountOf(idToken: string): string {
  try {
    const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as { readonly user_id?: unknown } | null;
    return typeof claims?.user_id === 'string' ? claims.user_id : '';
  } catch {
    // Not a token; the operation says so itself.
    return '';
  }
}

function isSnapshot(value: unknown): value is ProjectSnapshot {
  if (!value || typeof value !== 'object') return false;
  const { version, users, codes } = value as Partial<ProjectSnapshot>;
  return version === 1 && Array.isArray(users) && Array.isArray(codes);
}
