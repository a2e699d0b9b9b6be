import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import type { Problem } from '@clinic/contracts';
import { billingPublication, startBilling } from './testing/billing.ts';
import { emptyFolder } from './testing/remembered.ts';
import { serve, type Answer } from './testing/servers.ts';
import { startGateway } from './testing/start-gateway.ts';

const json = { headers: { Accept: 'application/json' } };
const codeOf = (answer: Answer): string => answer.json<Problem>().code;
const ourPaths = ['/jwt/session', '/users', '/update-role/1', '/doctors', '/appoinments', '/medicine', '/orderMedi'];

describe('a gateway that starts while services are unavailable', () => {
  let dead = '';
  before(async () => {
    const server = await serve(() => undefined);
    await server.close();
    dead = server.url;
  });
  const allDead = () => ({ identity: dead, clinic: dead, pharmacy: dead });
  const isUnavailable = (answer: Answer, path: string): void => {
    assert.deepEqual([answer.status, codeOf(answer)], [503, 'unavailable'], path);
    assert.ok(Number(answer.headers['retry-after']) >= 1);
  };

  it('treats the addresses of known services as unavailable, not unknown', async () => {
    await using gateway = await startGateway({}, { services: allDead() });
    for (const path of ourPaths) {
      const answer = await gateway.ask(path, json);
      isUnavailable(answer, path);
      assert.match(String(answer.json<Problem>().detail), /\((?:identity|clinic|pharmacy)\)/);
    }
    assert.equal((await gateway.ask('/invoices', json)).status, 404);
    assert.equal((await gateway.ask('/invoices', { method: 'POST', body: '{}' })).status, 405);
  });

  it('treats any free address as unavailable until every new service has published', async () => {
    using folder = emptyFolder();
    const env = { PUBLICATIONS_DIR: folder.path };
    const gateway = await startGateway(env, { services: { ...allDead(), billing: dead } });
    for (const path of [...ourPaths, '/invoices']) {
      isUnavailable(await gateway.ask(path, json), path);
      isUnavailable(await gateway.ask(path, { method: 'POST', body: '{}' }), path);
    }
    const page = await gateway.ask('/invoices', { headers: { Accept: 'text/html' } });
    assert.deepEqual([page.status, page.headers['content-type']], [503, 'text/html; charset=utf-8']);
    // Pages, the gateway's own addresses and those no service may claim work as before.
    const others = { '/': 200, '/about': 200, '/robots.txt': 200, '/health/live': 200, '/nothing.txt': 404 };
    for (const [path, status] of Object.entries(others)) assert.equal((await gateway.ask(path)).status, status, path);
    await gateway.close();

    await using billing = await startBilling((_req, res) => res.end('an invoice'), billingPublication());
    await using alone = await startGateway({ ...env, SERVICES: `billing=${billing.url}` });
    assert.equal((await alone.ask('/invoices')).text, 'an invoice');
    assert.equal((await alone.ask('/users', json)).status, 404);
  });

  it('remembers what a service published last, calls included', async () => {
    using folder = emptyFolder();
    const list = { id: 'list', method: 'GET', path: '/invoices/once', safe: false };
    await using billing = await startBilling(
      (req, res) => void (req.url === '/invoices/once' ? req.socket.resetAndDestroy() : res.end('an invoice')),
      billingPublication({}, [list]),
    );
    const env = { PUBLICATIONS_DIR: folder.path, SERVICES: `billing=${billing.url}` };
    const first = await startGateway(env);
    billing.publication = billingPublication({ version: '1.1.0', segments: ['invoices', 'bills'] }, [list]);
    await first.gateway.poll();
    await first.close();

    billing.publication = 'not now';
    await using second = await startGateway(env);
    assert.match(String(second.gateway.health().parts['billing']), /^version 1\.1\.0; /);
    await second.ask('/invoices/once');
    await second.ask('/bills/7');
    assert.deepEqual(billing.seen, ['GET /invoices/once', 'GET /bills/7']);
    assert.equal((await second.ask('/users', json)).status, 404);
  });

  it('ignores and logs a remembered publication that is unreadable or invalid', async () => {
    using folder = emptyFolder();
    const contents = ['', '{"half', '{}', JSON.stringify(billingPublication({ name: 'clinic' }))];
    for (const text of contents) {
      writeFileSync(path.join(folder.path, 'billing.json'), text);
      const lines: Record<string, unknown>[] = [];
      const gateway = await startGateway(
        { PUBLICATIONS_DIR: folder.path, SERVICES: `billing=${dead}` },
        { onLog: (line) => lines.push(line) },
      );
      isUnavailable(await gateway.ask('/invoices', json), text);
      assert.equal(lines.filter(({ msg }) => msg === 'what was remembered is ignored').length, 1, text);
      await gateway.close();
    }
  });

  it('works without a folder it can write to', async () => {
    using folder = emptyFolder();
    const file = path.join(folder.path, 'a file');
    writeFileSync(file, '');
    await using billing = await startBilling((_req, res) => res.end('an invoice'));
    await using gateway = await startGateway({ PUBLICATIONS_DIR: file, SERVICES: `billing=${billing.url}` });
    assert.equal((await gateway.ask('/invoices')).text, 'an invoice');
  });
});
