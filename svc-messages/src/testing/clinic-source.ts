import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { TakenEntry } from '@clinic/contracts/outbox/entries';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { messagesOf } from '../ledger/message-record.ts';
import type { VisitNow } from '../visits/visit-calls.ts';
import { startMessages, type TestMessages } from './messages.ts';
import { startTestMailServer } from './test-mail-server.ts';

/** 'yyyy-mm-dd', this many days from now. */
export const soon = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const polled = '/internal/outbox?forgotten=too';

let entries = 0;
export const entryId = (): string => (++entries).toString(16).padStart(24, '0');

/** What another service answers about its records; its outbox is empty. */
class TestSource {
  status = 200;
  answer: (path: string, body: unknown) => unknown = () => [];

  respond(path: string, sent: string, reply: (value: unknown, status?: number) => void): void {
    if (path === polled) return void setTimeout(() => reply([]), 200);
    if (this.status === 200) return reply(this.answer(path, JSON.parse(sent)));
    reply({ type: 'about:blank', title: 'No answer', status: this.status, code: 'not_found' }, this.status);
  }
}

/** The messages to an address. */
function ledgerOf(context: TestMessages['context']) {
  const ledger = (email: string) => messagesOf(context).find({ 'to.email': email }).sort({ dueAt: 1 }).toArray();
  const own = async (email: string) => {
    const [first] = (await ledger(email)).filter(({ lane }) => lane === 0);
    return first ?? assert.fail('no message');
  };
  const became = (email: string, status: string) =>
    waitUntil(async () => (await ledger(email)).some((one) => one.lane === 0 && one.status === status));
  return { ledger, own, became };
}

const replyTo =
  (response: ServerResponse) =>
  (value: unknown, status = 200): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

async function listeningAt(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const quick = { RETRY_MINUTES: '0.001,0.001', QUIET_HOURS: 'none', SEND_TIMEOUT_SECONDS: '2', WEBHOOK_PRIVATE: 'true' };

/** An offer as svc-clinic shows it. */
const offerOf = ({ overOffers }: { readonly overOffers: ReadonlySet<string> }, id: string) => ({
  id,
  status: overOffers.has(id) ? 'declined' : 'open',
});

/** The service between a clinic, whose visits, ended offers and outbox the test fills, and a mail server; all end after the file's last test. */
export async function messagesOfClinic() {
  const outbox: TakenEntry[] = [];
  const visits = new Map<string, VisitNow>();
  const changes: [url: string, body: unknown][] = [];
  const clinic = { isUp: true, overOffers: new Set<string>() };
  const others = { pharmacy: new TestSource(), identity: new TestSource() };
  const server = createServer((request, response) => void answer(request, response));
  const url = await listeningAt(server);
  const mailServer = await startTestMailServer();
  const env = {
    SOURCES: [`clinic=${url}`, ...Object.keys(others).map((name) => `${name}=${url}/${name}`)].join(),
    SMTP_URL: mailServer.url,
    ...quick,
  };
  const service = await startMessages(env);
  const { context } = service;
  after(async () => {
    await service.close();
    server.closeAllConnections();
    server.close();
    mailServer.close();
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await text(request);
    const reply = replyTo(response);
    for (const [name, source] of Object.entries(others))
      if (request.url?.startsWith(`/${name}/`)) return source.respond(request.url.slice(name.length + 1), sent, reply);
    if (!clinic.isUp && request.url !== polled) return void response.writeHead(503).end('{}');
    if (request.url === polled) {
      for (let turn = 0; turn < 20 && outbox.length === 0; turn += 1) await delay(10);
      return reply(outbox);
    }
    const body = JSON.parse(sent || '{}') as { ids: string[]; forgotten?: string[] };
    if (request.url === '/internal/outbox/taken') {
      const taken = new Set([...body.ids, ...(body.forgotten ?? [])]);
      outbox.splice(0, outbox.length, ...outbox.filter(({ id }) => !taken.has(id)));
      return reply({});
    }
    if (request.url === '/internal/offers') return reply(body.ids.map((id) => offerOf(clinic, id)));
    if (request.url === '/internal/visits') return reply(body.ids.flatMap((id) => visits.get(id) ?? []));
    changes.push([request.url ?? '', body]);
    return reply({ date: soon(5), time: '10:00' });
  }

  /** Books a visit. @returns its outbox entry */
  function booked(email: string, changed: Partial<VisitNow> = {}): TakenEntry {
    const id = entryId();
    const account = service.issuer.idOf(email);
    const stated = { id, doctor: 'Dr. Rahman', date: soon(5), time: '10:00', sequence: 0, status: 'Pending' } as const;
    const visit = { ...stated, patient: account, changeUntil: `${soon(4)}T00:00:00Z`, ...changed };
    visits.set(id, visit);
    return {
      id: entryId(),
      at: new Date().toISOString(),
      kind: 'appointment-booked',
      to: { account, email, name: 'Zoe' },
      data: { visit: stated },
    };
  }

  return { service, env, context, mailServer, clinic, ...others, outbox, changes, booked, ...ledgerOf(context) };
}
