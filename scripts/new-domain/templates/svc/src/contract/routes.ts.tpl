import { lookers } from '@clinic/contracts/authority';
import type { Route } from '@clinic/contracts/route';
import type { {{camel}}Schemas } from './schemas.ts';

/** Whose entries an answer shows: the service notes who of the staff looked. */
const entries = { what: 'entries', whose: 'author' } as const;

/** The domain's REST calls without their schemas, which is all that browsers need. */
export const {{camel}}Routes = {
  list{{Name}}Entries: {
    service: '{{name}}', method: 'GET', path: '/{{name}}/entries', access: { kind: 'restricted', roles: [{{roles}}] }, status: 200, errors: [], paged: true,
    summary: 'List all entries, newest first',
    shows: { ...entries, narrowedBy: ['q'] },
  },
  add{{Name}}Entry: {
    service: '{{name}}', method: 'POST', path: '/{{name}}/entries', access: { kind: 'restricted', roles: [{{roles}}] }, status: 201,
    errors: ['idempotency_mismatch', 'in_progress'], idempotent: true,
    summary: 'Write an entry',
    unnoted: 'what the caller has just written',
  },
  list{{Name}}Looks: {
    service: '{{name}}', method: 'GET', path: '/{{name}}/looks', status: 200, errors: [], paged: true, looks: true,
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'query', field: 'email' } },
    summary: "List which staff viewed a person's entries, newest first",
    decides: { 'query.email': 'session' },
    unnoted: lookers,
  },
  export{{Name}}Data: {
    service: '{{name}}', method: 'GET', path: '/{{name}}/export', personalData: 'copy', status: 200, errors: ['proof_needed'],
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'query', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Export everything the service holds about a person',
    decides: { 'query.email': 'session' },
    shows: { ...entries, whose: 'told', copy: true },
  },
  erase{{Name}}Data: {
    service: '{{name}}', method: 'POST', path: '/{{name}}/erasure', personalData: 'erasure', status: 200, errors: ['proof_needed', 'staff_account'],
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'body', field: 'email' }, freshProof: 'always' },
    summary: 'Read how far the deletion of a person has got here, for earlier front-ends',
    decides: { 'body.email': 'database', 'body.userId': 'ignored', 'body.emailConfirmed': 'ignored' },
  },
} as const satisfies Record<string, Route>;

/** Types of the calls for client, hooks and handlers. */
type {{Name}}Calls = { [Id in keyof typeof {{camel}}Routes]: (typeof {{camel}}Routes)[Id] & (typeof {{camel}}Schemas)[Id] };

declare module '@clinic/contracts/domain' {
  interface DomainCalls extends {{Name}}Calls {}
}
