import type { HistoryEvent } from '@clinic/service-kit';
import { daysFromNow, mark, type Person } from './values.ts';

/** An entry of the history about a record, with all its fields, and one that no service has declared. */
export function event(zeb: Person, type: string, id: string, fields: object): HistoryEvent {
  const plain = JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;
  return {
    at: daysFromNow(-2),
    call: 'seed',
    requestId: 'test',
    record: { type, id },
    subject: zeb.email,
    concerns: [zeb.email],
    accounts: [zeb.id],
    people: [zeb.email],
    action: 'changed',
    before: null,
    after: { ...plain, nobodyDeclaredThis: mark('undeclared') },
  };
}
