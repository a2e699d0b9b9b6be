import type { CallBody, Session } from '@clinic/contracts';
import type { Api } from '../api/api-client.ts';
import { ApiProblem, localProblem } from '../api/api-problem.ts';
import { newId } from '../api/new-id.ts';
import type { IdentityChecks } from './identity-check.ts';
import type { IdentityAccount } from './identity-provider.ts';
import type { ProviderAccess } from './provider-access.ts';
import type { OpeningSession, SessionSettings } from './session-types.ts';

/** Makes a call for which a new account may have to solve a challenge. */
export async function solvingChallenge<T>(
  call: (proof?: string) => Promise<T>,
  tellOfWork: SessionSettings['tellOfWork'],
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiProblem) || !error.problem.challenge) throw error;
    const { workOff } = await import(/* webpackChunkName: "proof-of-work" */ './proof-of-work.ts');
    return await workOff(error, call, tellOfWork);
  }
}

interface OpenerParts extends Pick<SessionSettings, 'api' | 'tellOfWork'> {
  readonly checks: IdentityChecks;
  readonly provider: Pick<ProviderAccess, 'noteLength' | 'hasLongPassword'>;
  readonly onOpened: (session: Session) => void;
}

/** Exchanges proofs of the identity provider for our session. */
export function createSessionOpener({ api, tellOfWork, checks, provider, onOpened }: OpenerParts) {
  // By proof: the auth state report and the action that caused it share one call.
  const exchanges = new Map<string, Promise<void>>();
  return {
    /** Waits until no exchange is in flight. */
    settled: () => Promise.allSettled(exchanges.values()),
    forget: () => exchanges.clear(),

    exchange: async (
      account: IdentityAccount,
      { passwordChanged, renew, newPassword }: OpeningSession = {},
    ): Promise<void> => {
      if (newPassword !== undefined) provider.noteLength(newPassword);
      const bearer = await account.idToken(renew);
      const running = exchanges.get(bearer);
      if (running && !passwordChanged) return running;
      const longPassword = provider.hasLongPassword();
      const body = {
        email: account.email,
        ...(passwordChanged && { passwordChanged }),
        ...(longPassword && { longPassword }),
      };
      const call = start({ api, tellOfWork, checks }, body, bearer).then(onOpened);
      exchanges.clear();
      exchanges.set(bearer, call);
      call.catch(() => exchanges.delete(bearer));
      return call;
    },
  };
}

/** Asks for the second factor if the account has one. */
async function start(
  { api, tellOfWork, checks }: { readonly api: Api } & Pick<OpenerParts, 'tellOfWork' | 'checks'>,
  body: CallBody<'startSession'>,
  bearer: string,
): Promise<Session> {
  try {
    return await solvingChallenge((proof) => api.call('startSession', { body, bearer, proof }), tellOfWork);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'second_factor_needed') throw error;
    const opened = await checks.ask('second_factor', body.email, (given) =>
      api.call('startSession', {
        body: { ...body, ...(given.by === 'code' && { code: given.code }) },
        bearer,
        ...(given.by === 'code' && { idempotencyKey: given.key }),
      }),
    );
    if (!opened) throw localProblem('second_factor_needed', 'You didn’t enter the code.', newId(), error);
    return opened;
  }
}
