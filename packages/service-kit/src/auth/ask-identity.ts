import { askReplicas, type Question } from '../http/ask-replicas.ts';
import type { BaseSettings } from '../settings/settings.ts';
import { internalHeaders, internalSecret } from './internal-calls.ts';

/** What it takes to ask svc-identity. */
export interface IdentityAccess {
  readonly settings: Pick<BaseSettings, 'IDENTITY_URL' | 'INTERNAL_SECRET' | 'DEMO_MODE' | 'NODE_ENV'>;
  readonly stopping: AbortSignal;
}

/** Asks svc-identity at an internal path: {@link askReplicas}. */
export const askIdentity = <Answer>(
  { settings, stopping }: IdentityAccess,
  question: Omit<Question<Answer>, 'headers'>,
): Promise<Answer> =>
  askReplicas(settings.IDENTITY_URL, { ...question, headers: internalHeaders(internalSecret(settings)) }, stopping);
