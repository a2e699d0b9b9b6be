import { createHash } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Caller } from '@clinic/contracts';
import { internalHeaders, internalPath, internalSecret } from '../auth/internal-calls.ts';
import { sessionToken, type SessionClaims } from '../auth/session-claims.ts';
import { staffPath, type StaffAccount } from '../auth/staff-list.ts';
import { feedMessage, feedPath, type FeedUpdate } from '../auth/version-feed.ts';

/** The person a token is for. */
export type TokenPerson = Pick<Caller, 'role' | 'email'> & Partial<Pick<Caller, 'id' | 'confirmed'>>;

/** Properties of a token that a test may override. */
export interface TokenChanges {
  readonly version?: number;
  readonly sessionId?: string;
  readonly issuer?: string;
  readonly audience?: string;
  readonly type?: string;
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
  token(person: TokenPerson, changes?: TokenChanges): Promise<string>;
  /** Sets the staff list and notifies the feed. */
  setStaff(staff: readonly StaffAccount[]): void;
  /** Sends an update to the feed. */
  tell(update: FeedUpdate): void;
  /** Drops the feed's connections and rejects new ones until `restoreFeed`. */
  breakFeed(): void;
  restoreFeed(): void;
  close(): Promise<void>;
}

/** Starts the test issuer on a free port. @param secret - of internal calls, for services that run in production mode */
export async function startTestIssuer(
  secret = internalSecret({ INTERNAL_SECRET: undefined, DEMO_MODE: false, NODE_ENV: 'test' }),
): Promise<TestIssuer> {
  const { publicKey, privateKey } = await generateKeyPair(sessionToken.algorithm, { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: 'test', alg: sessionToken.algorithm, use: 'sig' };
  const listeners = new Set<ServerResponse>();
  const sent: FeedUpdate[] = [];
  let staff: readonly StaffAccount[] = [];
  let broken = false;
  const server = createServer((request, response) => {
    if (
      request.url?.startsWith(internalPath) &&
      request.headers.authorization !== internalHeaders(secret).authorization
    )
      return void response.writeHead(401).end();
    if (request.url === '/jwt/keys') {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys: [key] }));
    } else if (request.url === feedPath && !broken) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(sent.map((update) => feedMessage('change', update)).join('') + feedMessage('ready'));
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
    } else if (request.url === staffPath && !broken) {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(staff));
    } else {
      response.writeHead(broken ? 503 : 404).end();
    }
  });
  const beat = setInterval(() => listeners.forEach((response) => response.write(feedMessage('beat'))), 500);
  const tell = (update: FeedUpdate): void => {
    sent.push(update);
    for (const response of listeners) response.write(feedMessage('change', update));
  };
  const cut = (): void => listeners.forEach((response) => response.destroy());
  const idOf = (email: string): string => createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 24);

  return {
    url: await listen(server),
    idOf,
    token(person, changes = {}) {
      const now = Math.floor(Date.now() / 1_000);
      const endsAt = now + (changes.endsIn ?? 300);
      const claims: SessionClaims = {
        sub: person.id ?? idOf(person.email),
        email: person.email.toLowerCase(),
        role: person.role,
        ver: changes.version ?? 1,
        sid: changes.sessionId ?? 'test-session',
        conf: person.confirmed ?? true,
        prf: now - (changes.provenAgo ?? 0),
      };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: sessionToken.algorithm, kid: 'test', typ: changes.type ?? sessionToken.type })
        .setIssuer(changes.issuer ?? sessionToken.issuer)
        .setAudience(changes.audience ?? sessionToken.audience)
        .setIssuedAt(Math.min(now, endsAt - 1))
        .setExpirationTime(endsAt)
        .sign(privateKey);
    },
    setStaff(accounts) {
      staff = accounts;
      tell({ sub: 'staff', ver: 1 });
    },
    tell,
    breakFeed() {
      broken = true;
      cut();
    },
    restoreFeed() {
      broken = false;
    },
    close() {
      clearInterval(beat);
      return new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        cut();
        server.closeAllConnections();
      });
    },
  };
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server
      .once('error', reject)
      .listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}
