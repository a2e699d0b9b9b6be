import type { Right, Role } from '@clinic/contracts';
import type { UserRecord } from './user-record.ts';

/** What the history says of a new role, which ends the rights beside the old one. @param given - the rights beside the new one */
export function roleEvent(
  { role, rights }: Pick<UserRecord, 'role' | 'rights'>,
  newRole: Role,
  given: readonly Right[] = [],
) {
  return {
    action: 'role changed',
    before: { role, ...(rights && { rights }) },
    after: { role: newRole, ...((rights || given.length > 0) && { rights: given }) },
  } as const;
}
