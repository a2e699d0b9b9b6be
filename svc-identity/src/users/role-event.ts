import type { Role } from '@clinic/contracts';
import type { UserRecord } from './user-record.ts';

/** What the history says of a new role, which ends the rights beside the old one. */
export function roleEvent({ role, rights }: Pick<UserRecord, 'role' | 'rights'>, newRole: Role) {
  return {
    action: 'role changed',
    before: { role, ...(rights && { rights }) },
    after: { role: newRole, ...(rights && { rights: [] }) },
  } as const;
}
