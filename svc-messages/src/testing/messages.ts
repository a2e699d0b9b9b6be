import { startTestService } from '@clinic/service-kit/testing';
import { newMessage } from '../intake/new-messages.ts';
import type { MessageRecord } from '../ledger/message-record.ts';
import { messagesService } from '../service.ts';

/** A running svc-messages. */
export type TestMessages = Awaited<ReturnType<typeof startMessages>>;

/**
 * Starts the service on a database of its own; its source is unreachable by default.
 *
 * @param mongoUri - a database server that the test has already started
 */
export function startMessages(env: Readonly<Record<string, string>> = {}, mongoUri?: string) {
  return startTestService(messagesService, {
    env: { SOURCES: 'clinic=http://127.0.0.1:1', ...env },
    ...(mongoUri !== undefined && { mongoUri }),
  });
}

/** Another replica of a service with the same database. */
export const addReplica = ({ context, db }: TestMessages, env: Parameters<typeof startMessages>[0] = {}) =>
  startMessages({ ...env, MONGODB_DATABASE: db.databaseName }, context.settings.MONGODB_URI);

/** A row of the ledger that is due, by default about a new role. */
export function dueMessage(
  fields: Pick<MessageRecord, 'key' | 'to'> & Partial<Parameters<typeof newMessage>[0]>,
  now = new Date(),
): MessageRecord {
  const about = { kind: 'role-changed', data: { role: 'doctor' }, dueAt: now, lane: 0 } as const;
  return newMessage({ ...about, ...fields }, { MAIL_FROM: 'Clinic <clinic@clinic.example>' }, now);
}
