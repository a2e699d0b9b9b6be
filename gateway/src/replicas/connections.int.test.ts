import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { publicationPath } from '@clinic/contracts/publication';
import { billingPublication, startBilling } from '../testing/billing.ts';
import { startGateway } from '../testing/start-gateway.ts';

it('closes an idle connection before the server does, so that no request is lost', async () => {
  const connections = new Set<Socket>();
  const closed = Promise.withResolvers<void>();
  await using billing = await startBilling((req, res) => {
    connections.add(req.socket);
    // Only if the gateway closes it: what the server closes itself has no end.
    req.socket.once('end', () => closed.resolve());
    res.writeHead(200, { 'Keep-Alive': 'timeout=2' }).end('an invoice');
  });
  // Polls would use the connection.
  await using gateway = await startGateway({}, { services: { billing: billing.url }, pollEveryMs: 3_600_000 });
  assert.equal((await gateway.ask('/invoices')).text, 'an invoice');
  assert.equal((await gateway.ask('/invoices')).text, 'an invoice');
  assert.equal(connections.size, 1);
  await closed.promise;
  assert.equal((await gateway.ask('/invoices')).text, 'an invoice');
  assert.equal(connections.size, 2);
});

it('checks a service’s certificate for the service’s own name, whatever host the client named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
  const selfSigned = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const files = [
    '-subj',
    '/CN=billing',
    '-addext',
    'subjectAltName=DNS:billing.internal',
    '-keyout',
    'key',
    '-out',
    'cert',
  ];
  execFileSync('openssl', ['req', ...selfSigned, ...files], { cwd: folder, stdio: 'pipe' });
  const [key, cert] = ['key', 'cert'].map((file) => readFileSync(join(folder, file), 'utf8'));
  rmSync(folder, { recursive: true });
  assert.ok(cert);
  const usual = getCACertificates();
  setDefaultCACertificates([...usual, cert]);
  const secure = createServer({ key, cert }, (req, res) => {
    if (req.url === publicationPath) res.end(JSON.stringify(billingPublication()));
    else if (req.url === '/health/ready') res.end('{}');
    else res.end(`${req.headers.host} by TLS`);
  });
  await once(secure.listen(0, '127.0.0.1'), 'listening');
  const { port } = secure.address() as AddressInfo;
  const resolve = async (): Promise<string[]> => ['127.0.0.1'];
  const headers = { Host: 'clinic.example' };
  const gateway = await startGateway({}, { services: { billing: `https://billing.internal:${port}` }, resolve });
  assert.equal((await gateway.ask('/invoices', { headers })).text, 'clinic.example by TLS');
  await gateway.close();
  // A certificate for another name is rejected.
  const other = await startGateway({}, { services: { clinic: `https://clinic.internal:${port}` }, resolve });
  assert.equal((await other.ask('/appoinments', { headers: { Host: 'billing.internal' } })).status, 503);
  await other.close();
  setDefaultCACertificates(usual);
  secure.closeAllConnections();
  secure.close();
});
