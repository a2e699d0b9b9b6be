import type { Route } from '@clinic/contracts/route';
import type { messagesSchemas } from './schemas.ts';

/** The domain's REST calls without their schemas, which is all that browsers need. */
export const messagesRoutes = {
  listMessagesEntries: {
    service: 'messages',
    method: 'GET',
    path: '/messages/entries',
    access: { kind: 'restricted', roles: ['admin'] },
    status: 200,
    errors: [],
    paged: true,
    summary: 'List all entries, newest first',
  },
  addMessagesEntry: {
    service: 'messages',
    method: 'POST',
    path: '/messages/entries',
    access: { kind: 'restricted', roles: ['admin'] },
    status: 201,
    errors: ['idempotency_mismatch', 'in_progress'],
    idempotent: true,
    summary: 'Write an entry',
  },
  exportMessagesData: {
    service: 'messages',
    method: 'GET',
    path: '/messages/export',
    personalData: 'copy',
    status: 200,
    errors: ['proof_needed'],
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'query', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Export everything the service holds about a person',
  },
  eraseMessagesData: {
    service: 'messages',
    method: 'POST',
    path: '/messages/erasure',
    personalData: 'erasure',
    status: 200,
    errors: ['proof_needed', 'staff_account'],
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'body', field: 'email' }, freshProof: 'always' },
    summary: 'Erase a person: entries stay without their author; repeat until done',
  },
} as const satisfies Record<string, Route>;

/** Types of the calls for client, hooks and handlers. */
type MessagesCalls = {
  [Id in keyof typeof messagesRoutes]: (typeof messagesRoutes)[Id] & (typeof messagesSchemas)[Id];
};

declare module '@clinic/contracts/domain' {
  interface DomainCalls extends MessagesCalls {}
}
