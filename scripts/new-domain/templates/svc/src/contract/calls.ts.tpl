import { lookers } from '@clinic/contracts/authority';
import { defineCalls } from '@clinic/contracts/define-calls';
import { id, paging, text } from '@clinic/contracts/schemas/fields';
import { looksAt } from '@clinic/contracts/schemas/looks';
import { erasure, exportOfPerson } from '@clinic/contracts/schemas/personal-data';
import { z } from 'zod';

const access = { kind: 'restricted', roles: [{{roles}}] } as const;
/** Whose entries an answer shows: the service notes who of the staff looked. */
const entries = { what: 'entries', whose: 'author' } as const;

const entry = z.object({
  _id: id,
  title: z.string(),
  note: z.string(),
  /** Email of the author. */
  author: z.string(),
  /** ISO instant. */
  writtenAt: z.string(),
});

/** An entry on the wire. */
export type {{Name}}Entry = z.infer<typeof entry>;

/** The domain's calls, by name; builds of front-ends keep only what browsers need of them. */
export const {{camel}}Calls = defineCalls('{{name}}', {
  list{{Name}}Entries: {
    method: 'GET',
    path: '/{{name}}/entries',
    access,
    paged: true,
    summary: 'List all entries, newest first',
    query: z.object(paging),
    response: z.array(entry),
    shows: { ...entries, narrowedBy: ['q'] },
  },
  add{{Name}}Entry: {
    method: 'POST',
    path: '/{{name}}/entries',
    access,
    status: 201,
    errors: ['idempotency_mismatch', 'in_progress'],
    idempotent: true,
    summary: 'Write an entry',
    body: z.object({ title: text('Title'), note: z.string().trim().max(1000, 'Note must be 1000 characters or fewer').default('') }),
    response: entry,
    unnoted: 'what the caller has just written',
  },
  list{{Name}}Looks: {
    method: 'GET',
    path: '/{{name}}/looks',
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'query', field: 'email' } },
    paged: true,
    looks: true,
    summary: "List which staff viewed a person's entries, newest first",
    ...looksAt,
    decides: { 'query.email': 'session' },
    unnoted: lookers,
  },
  export{{Name}}Data: {
    method: 'GET',
    path: '/{{name}}/export',
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'query', field: 'email' }, freshProof: 'forOthers' },
    errors: ['changed_meanwhile', 'proof_needed'],
    personalData: 'copy',
    summary: 'Export everything the service holds about a person',
    ...exportOfPerson,
    decides: { 'query.email': 'session', 'query.userId': 'record' },
    shows: { ...entries, whose: 'told', copy: true },
  },
  erase{{Name}}Data: {
    method: 'POST',
    path: '/{{name}}/erasure',
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'body', field: 'email' }, freshProof: 'always' },
    errors: ['proof_needed', 'staff_account'],
    personalData: 'erasure',
    summary: 'Read how far the deletion of a person has got here, for earlier front-ends',
    ...erasure,
    decides: { 'body.email': 'database', 'body.userId': 'ignored', 'body.emailConfirmed': 'ignored' },
  },
});

/** Types of the calls for client, hooks and handlers. */
type {{Name}}Calls = typeof {{camel}}Calls;

declare module '@clinic/contracts/domain' {
  interface DomainCalls extends {{Name}}Calls {}
}
