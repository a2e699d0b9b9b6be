import { AgentProjectState } from './firebase-internals.ts';
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

/** A project that reports each change and can be stored and restored. */
export class DurableProject extends AgentProjectState {
  readonly #projectId: string;
  /** The devices from which somebody has signed in before. */
  devices = new KnownDevices();
  #changed: (durable: boolean) => void = () => {};

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
    for (const { localId, providerUserInfo = [], ...fields } of snapshot.users) {
      // The derived providers are added to the same list again: kept, they would double with every restart.
      const linked = providerUserInfo.filter(({ providerId }) => !DERIVED_PROVIDERS.has(providerId));
      this.overwriteUserWithLocalId(localId, { ...fields, providerUserInfo: linked });
    }
    if (snapshot.deviceKey !== undefined) this.devices = new KnownDevices(Buffer.from(snapshot.deviceKey, 'base64'));
    for (const code of snapshot.codes) this.oobs.set(code.oobCode, code);
  }

  // Creating and overwriting an account end here too.
  override updateUserByLocalId(localId: string, fields: Partial<UserFields>, options?: object): StoredUser {
    const user = super.updateUserByLocalId(localId, fields, options);
    this.#changed(!Object.keys(fields).every((field) => SIGN_IN_TRACES.has(field)));
    return user;
  }

  override deleteUser(user: StoredUser): void {
    super.deleteUser(user);
    this.#changed(true);
  }

  override deleteAllAccounts(): void {
    super.deleteAllAccounts();
    this.#changed(true);
  }

  override createOob(...args: Parameters<ProjectState['createOob']>): OutOfBandCode {
    const code = super.createOob(...args);
    this.#changed(true);
    return code;
  }

  override deleteOobCode(code: string): boolean {
    const existed = super.deleteOobCode(code);
    this.#changed(true);
    return existed;
  }
}

function isSnapshot(value: unknown): value is ProjectSnapshot {
  if (!value || typeof value !== 'object') return false;
  const { version, users, codes } = value as Partial<ProjectSnapshot>;
  return version === 1 && Array.isArray(users) && Array.isArray(codes);
}
