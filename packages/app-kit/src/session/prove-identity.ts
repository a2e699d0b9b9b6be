import type { SessionUser } from '@clinic/contracts';
import type { Api } from '../api/api-client.ts';
import type { IdentityAnswer, IdentityChecks } from './identity-check.ts';
import type { SessionMemory } from './session-memory.ts';
import type { SessionStore } from './session-types.ts';

interface ProofParts {
  readonly api: Api;
  readonly checks: IdentityChecks;
  readonly memory: SessionMemory;
  readonly identify: SessionStore['identify'];
}

/** @returns asks the person to prove their identity, once for all concurrent callers */
export function createProof({ api, checks, memory, identify }: ProofParts): () => Promise<boolean> {
  let proving: Promise<boolean> | undefined;

  async function proveBy(email: string, given: IdentityAnswer): Promise<SessionUser> {
    const isCurrent = memory.sinceNow();
    const input =
      given.by === 'code'
        ? { body: { code: given.code }, idempotencyKey: given.key }
        : { body: { idToken: await (await identify(email, given)).idToken() } };
    const { user } = await api.call('proveIdentity', input);
    if (isCurrent()) memory.set({ user, loading: false });
    return user;
  }

  return async () => {
    const email = memory.get().user?.email;
    if (email === undefined) return false;
    proving ??= checks
      .ask('proof', email, (given) => proveBy(email, given))
      .then((proven) => proven !== undefined)
      .finally(() => {
        proving = undefined;
      });
    return proving;
  };
}
