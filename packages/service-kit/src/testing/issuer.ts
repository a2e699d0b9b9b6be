import { createHash } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { exportJWK, GeneralSign, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import type { Caller } from '@clinic/contracts';
import { accountFeedPath, type AccountChange } from '../auth/account-feed.ts';
import { accountsPath, type AccountStanding } from '../auth/account-standing.ts';
import { internalHeaders, internalPath, internalSecret } from '../auth/internal-calls.ts';
import { tokenHeader, writeBundle } from '../auth/session-bundle.ts';
import { sessionToken, type SessionClaims } from '../auth/session-claims.ts';
import { staffPath, type StaffAccount } from '../auth/staff-list.ts';
import { deletionsPath, erasureReport, type ErasureReport, type OpenDeletion } from '../privacy/deletions.ts';
import { personPath, type AccountHolder, type Person } from '../privacy/person.ts';
import { feedMessage, feedPath, type FeedUpdate } from '../auth/session-feed.ts';

/** The person a token is for. */
export type TokenPerson = Pick<Caller, 'role' | 'email'> & Partial<Pick<Caller, 'id' | 'confirmed' | 'rights'>>;

/** Properties of a token that a test may override. */
export interface TokenChanges {
  readonly version?: number;
  readonly sessionId?: string;
  readonly issuer?: string;
  readonly audience?: string;
  readonly type?: string;
  /** Services that the token is for. If empty, it is a token from before audiences. */
  readonly audiences?: readonly string[];
  /** Seconds since the person proved their identity; defaults to 0. */
  readonly provenAgo?: number;
  /** Seconds from now; negative: expired. */
  readonly endsIn?: number;
}

/** A minimal svc-identity for tests of other services: real keys, real tokens, a real feed. */
export interface TestIssuer {
  readonly url: string;
  /** `_id` in this person's tokens. */
  idOf(email: string): string;
  /** Value of the session cookie. */
  token(person: TokenPerson, changes?: TokenChanges): Promise<string>;
  /** Sets the staff list and notifies the feed. */
  setStaff(staff: readonly StaffAccount[]): void;
  /** Sets an account's role and state; by default it is an active patient's. `undefined`: there is none. */
  setStanding(id: string, standing: AccountStanding | undefined): void;
  /** Sets who an account or address is; by default the address is the account's whose id is {@link idOf}. */
  setPerson(key: string, person: Person): void;
  /** Starts deleting a person in the services that follow this issuer. */
  startDeletion(person: AccountHolder): void;
  /** The last report of a service about a person's deletion. */
  reportOf(userId: string): ErasureReport | undefined;
  /** Puts an account into the account feed, after all others, and notifies the feed; by default it is an active patient's. */
  changeAccount(account: string, changes: Partial<Omit<AccountChange, 'account' | 'seq'>>): void;
  /** Numbers the account feed's entries anew, as if the database had been restored. */
  restoreAccounts(): void;
  /** Whether there is an account feed; without one it is a svc-identity of an earlier release. */
  serveAccounts(served: boolean): void;
  /** Sends an update to the feed. */
  tell(update: FeedUpdate): void;
  /** Drops the feed's connections and rejects new ones until `restoreFeed`. */
  breakFeed(): void;
  restoreFeed(): void;
  close(): Promise<void>;
}

/**
 * Starts the test issuer on a free port.
 *
 * @param secret - of internal calls, for services that run in production mode
 * @param allAudiences - default services that tokens are for
 */
export async function startTestIssuer(
  secret = internalSecret({ INTERNAL_SECRET: undefined, DEMO_MODE: false, NODE_ENV: 'test' }),
  allAudiences: readonly string[] = [],
): Promise<TestIssuer> {
  const { publicKey, privateKey } = await generateKeyPair(sessionToken.algorithm, { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: 'test', alg: sessionToken.algorithm, use: 'sig' };
  const feed = testFeed();
  let staff: readonly StaffAccount[] = [];
  const standings = new Map<string, AccountStanding | undefined>();
  const persons = new Map<string, Person>();
  const confirmed = new Map<string, boolean>();
  const deletions = new Map<string, OpenDeletion>();
  const reports = new Map<string, ErasureReport>();
  const accounts = testAccounts();
  let broken = false;
  const server = createServer((request, response) => {
    const isInternal = request.url?.startsWith(internalPath);
    if (isInternal && request.headers.authorization !== internalHeaders(secret).authorization)
      return void response.writeHead(401).end();
    if (request.url === '/jwt/keys') return sendJson(response, { keys: [key] });
    if (request.url === feedPath && !broken) return feed.add(response);
    if (request.url === staffPath && !broken) return sendJson(response, staff);
    if (request.url?.startsWith(`${accountFeedPath}?`) && !broken && accounts.served)
      return sendJson(response, accounts.after(request.url));
    if (request.url?.startsWith(`${accountsPath}/`) && !request.url.startsWith(accountFeedPath) && !broken) {
      const id = request.url.slice(accountsPath.length + 1);
      const standing = standings.has(id) ? standings.get(id) : { active: true, role: 'patient' };
      return sendJson(response, standing ?? { active: false, role: 'patient' });
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://issuer');
    if (pathname === personPath && !broken) {
      const [id, email = ''] = [searchParams.get('id'), searchParams.get('email') ?? undefined];
      return sendJson(
        response,
        persons.get(id ?? email) ?? personWith(id ?? idOf(email), email, confirmed.get(id ?? '')),
      );
    }
    if (pathname === deletionsPath && !broken)
      return sendJson(response, {
        deletions: [...deletions.values()].filter(({ person }) => reports.get(person.id)?.done !== true),
      });
    if (pathname.startsWith(`${deletionsPath}/`) && !broken) {
      const id = pathname.slice(deletionsPath.length + 1);
      void json(request).then((report) => {
        reports.set(id, erasureReport.parse(report));
        sendJson(response, {});
      });
      return;
    }
    response.writeHead(broken ? 503 : 404).end();
  });
  return {
    url: await listen(server),
    idOf,
    token(person, changes) {
      confirmed.set(person.id ?? idOf(person.email), person.confirmed ?? true);
      return signToken(privateKey, allAudiences, person, changes);
    },
    setStaff(accounts) {
      staff = accounts;
      feed.tell({ sub: 'staff', ver: 1 });
    },
    setStanding(id, standing) {
      standings.set(id, standing);
    },
    setPerson(key, person) {
      persons.set(key, person);
    },
    startDeletion(person) {
      deletions.set(person.id, { person, requestId: 'deletion' });
      feed.tell({ sub: person.id, ver: 2 });
    },
    reportOf: (userId) => reports.get(userId),
    changeAccount(account, changes) {
      accounts.change(account, changes);
      feed.tell({ sub: account, ver: changes.version ?? 1 });
    },
    restoreAccounts: () => accounts.restore(),
    serveAccounts(served) {
      accounts.served = served;
    },
    tell: feed.tell,
    breakFeed() {
      broken = true;
      feed.cut();
    },
    restoreFeed() {
      broken = false;
    },
    close() {
      feed.stop();
      return new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        feed.cut();
        server.closeAllConnections();
      });
    },
  };
}

/** A person who has always had one address. */
export const personWith = (id: string, email: string, confirmed = true): AccountHolder => ({
  id,
  email,
  addresses: [{ email, since: new Date(0), confirmed, others: [] }],
});

function testFeed() {
  const listeners = new Set<ServerResponse>();
  const sent: FeedUpdate[] = [];
  const heartbeat = setInterval(() => listeners.forEach((response) => response.write(feedMessage('beat'))), 500);
  return {
    add: (response: ServerResponse): void => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(sent.map((update) => feedMessage('change', update)).join('') + feedMessage('ready'));
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
    },
    tell: (update: FeedUpdate): void => {
      sent.push(update);
      for (const response of listeners) response.write(feedMessage('change', update));
    },
    cut: () => listeners.forEach((response) => response.destroy()),
    stop: () => clearInterval(heartbeat),
  };
}

function testAccounts() {
  const entries = new Map<string, AccountChange>();
  let seq = 0;
  return {
    served: true,
    restore(): void {
      seq = 0;
      for (const { seq: _seq, account, ...entry } of Array.from(entries.values())) this.change(account, entry);
    },
    change(account: string, changes: Partial<AccountChange>): void {
      seq += 1;
      const known = { version: 1, former: [], active: true, role: 'patient' as const, ...entries.get(account) };
      entries.set(account, { ...known, ...changes, account, seq });
    },
    after(url: string) {
      const query = new URL(url, 'http://issuer').searchParams;
      const after = Number(query.get('after'));
      const changes = [...entries.values()]
        .filter((entry) => entry.seq > after)
        .toSorted((one, other) => one.seq - other.seq)
        .slice(0, Number(query.get('limit')));
      return { changes, latest: seq };
    },
  };
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function idOf(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 24);
}

async function signToken(
  privateKey: CryptoKey,
  allAudiences: readonly string[],
  person: TokenPerson,
  changes: TokenChanges = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const endsAt = now + (changes.endsIn ?? 300);
  const claims: SessionClaims = {
    sub: person.id ?? idOf(person.email),
    email: person.email.toLowerCase(),
    role: person.role,
    ...(person.rights && { rgt: [...person.rights] }),
    ver: changes.version ?? 1,
    sid: changes.sessionId ?? 'test-session',
    conf: person.confirmed ?? true,
    prf: now - (changes.provenAgo ?? 0),
  };
  const header = { alg: sessionToken.algorithm, kid: 'test', typ: changes.type ?? sessionToken.type };
  const payload = {
    ...claims,
    iss: changes.issuer ?? sessionToken.issuer,
    aud: changes.audience ?? sessionToken.audience,
    iat: Math.min(now, endsAt - 1),
    exp: endsAt,
  };
  const { audiences = allAudiences } = changes;
  if (audiences.length === 0) return new SignJWT(payload).setProtectedHeader(header).sign(privateKey);
  const jws = new GeneralSign(Buffer.from(JSON.stringify(payload)));
  for (const audience of audiences) jws.addSignature(privateKey).setProtectedHeader(tokenHeader(header, audience));
  return writeBundle(await jws.sign(), audiences);
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server
      .once('error', reject)
      .listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}
