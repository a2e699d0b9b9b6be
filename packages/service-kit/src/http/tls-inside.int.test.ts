import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test, type TestContext } from 'node:test';
import { startTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { cookieNames } from '../auth/session-claims.ts';
import { startTestIssuer, type TestIssuer } from '../testing/issuer.ts';
import { programEnv } from '../testing/program-env.ts';
import { waitUntil } from '../testing/wait-until.ts';

const main = join(import.meta.dirname, '../testing/shop-main.ts');
let folder: string;
let server: TestDatabase;
let issuer: TestIssuer;
let url: string;
let stopProxy: () => void;

/** Makes a key and its certificate, valid for two days. @param more - further options of `openssl req` */
function makeCertificate(name: string, subject: string, ...more: string[]): void {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', subject];
  const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
  execFileSync('openssl', ['req', '-x509', ...kind, ...more, ...files], { cwd: folder, stdio: 'pipe' });
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tls-inside-'));
  // A certificate authority for the test, and a certificate signed by it for this address.
  makeCertificate('ca', '/CN=Test authority');
  const signed = ['-addext', 'subjectAltName=IP:127.0.0.1', '-CA', 'ca.pem', '-CAkey', 'ca.key'];
  makeCertificate('own', '/CN=svc-identity', ...signed);
  [server, issuer] = await Promise.all([startTestDatabase(), startTestIssuer()]);
  // Terminates TLS in front of svc-identity.
  const proxy = createServer(
    { key: readFileSync(join(folder, 'own.key')), cert: readFileSync(join(folder, 'own.pem')) },
    (incoming, answer) => {
      const passed = request(`${issuer.url}${incoming.url}`, { headers: incoming.headers }, (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      answer.on('close', () => passed.destroy());
      passed.end();
    },
  );
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  stopProxy = () => {
    proxy.close();
    proxy.closeAllConnections();
  };
});
after(async () => {
  stopProxy();
  await Promise.all([issuer.close(), server.close()]);
  rmSync(folder, { recursive: true });
});

/** Starts the shop as a process: Node reads the authorities once, at start. */
function startShop(
  t: TestContext,
  database: string,
  more: Readonly<Record<string, string>>,
): {
  readonly child: ChildProcess;
  says(wanted: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
} {
  const child = spawn(process.execPath, [main], {
    env: programEnv({
      PORT: '0',
      NODE_ENV: 'test',
      IDENTITY_URL: url,
      MONGODB_URI: server.uri,
      MONGODB_DATABASE: database,
      ...more,
    }),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  return {
    child,
    says: (wanted) =>
      new Promise((resolve, reject) => {
        lines.on('line', (line) => {
          const logged = JSON.parse(line) as Record<string, unknown>;
          if (wanted(logged)) resolve(logged);
        });
        lines.on('close', () => reject(new Error('the shop ended')));
      }),
  };
}

test(
  'a service follows svc-identity over TLS with the authority that NODE_EXTRA_CA_CERTS names',
  { timeout: 60_000 },
  async (t) => {
    const shop = startShop(t, 'tls', { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') });
    const { url: shopUrl } = await shop.says(({ msg }) => msg === 'listening');
    const cookie = `${cookieNames.access}=${await issuer.token({ role: 'pharmacist', email: 'pia@clinic.example' })}`;
    const ready = async (): Promise<unknown> =>
      ((await (await fetch(`${String(shopUrl)}/health/ready`)).json()) as { checks: { sessions: string } }).checks
        .sessions;
    await waitUntil(async () => (await ready()) === 'ok');
    // The token keys were fetched over TLS as well.
    assert.equal((await fetch(`${String(shopUrl)}/orderMedi`, { headers: { cookie } })).status, 200);
    assert.equal((await fetch(`${String(shopUrl)}/orderMedi`)).status, 401);
  },
);

test('it sends nothing to a server whose certificate it can’t verify', { timeout: 60_000 }, async (t) => {
  const shop = startShop(t, 'tls-refused', {});
  const { reason } = await shop.says(({ msg }) => msg === 'session feed lost, will retry');
  assert.match(String(reason), /unable to verify the first certificate|self-signed certificate/);
});
