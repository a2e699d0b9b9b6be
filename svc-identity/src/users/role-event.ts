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

/** Of every update to another role: whoever decides about it decides anew about what comes beside it, and older tokens end. */
export const endsRights = { $unset: { rights: 1 }, $inc: { version: 1 } } as const;
