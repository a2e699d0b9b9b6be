import type { Role } from '@clinic/contracts';
import type { SessionCaller } from '../auth/session-claims.ts';

/** Who acted or looked, as the history has it. */
export interface RecordedActor {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  /** Rights beside the role that they had then; absent without any. */
  readonly rights?: readonly string[];
}

/** The person of a session, for the history. */
export function actorOf({
  id,
  email,
  role,
  rights = [],
}: Pick<SessionCaller, 'id' | 'email' | 'role' | 'rights'>): RecordedActor {
  return { id, email, role, ...(rights.length > 0 && { rights }) };
}

/**
 * How others read an actor's part. Whoever has rights beside the role of a patient acts for the clinic, which front-ends of
 * earlier releases only say of admins.
 */
export function partOf({ role, rights }: Pick<RecordedActor, 'role' | 'rights'>): {
  readonly role: Role;
  readonly rights?: string[];
} {
  return { role: role === 'patient' && rights ? 'admin' : role, ...(rights && { rights: [...rights] }) };
}
