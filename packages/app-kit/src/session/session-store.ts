import { authCode } from './auth-code.ts';
import { createIdentityChecks } from './identity-check.ts';
import { createProof } from './prove-identity.ts';
import { createOrResume, createProviderAccess, signInAs, type ProviderAccess } from './provider-access.ts';
import { createSessionMemory } from './session-memory.ts';
import { createSessionOpener, solvingChallenge } from './session-opener.ts';
import { createSessionLoader, createSessionPolls } from './session-polls.ts';
import type { SessionActions, SessionChannel, SessionSettings, SessionStore } from './session-types.ts';

/** The session as the browser knows it: who is signed in, and the ways in and out. */
export function createSessionStore(settings: SessionSettings): SessionStore {
  const { api, openChannel, checks = createIdentityChecks() } = settings;
  let channel: SessionChannel | undefined;
  const memory = createSessionMemory(() => {
    opener.forget();
    checks.leave();
  });
  const provider = createProviderAccess(settings.loadProvider, (account) => {
    opener
      .exchange(account)
      .catch((error: unknown) => console.error('Could not open a session for the reported user', error));
  });
  const opener = createSessionOpener({
    ...settings,
    checks,
    provider,
    onOpened({ user }) {
      memory.become({ user, loading: false });
      channel?.postMessage('signed-in');
    },
  });
  const polls = createSessionPolls(api, memory, opener.settled);
  const find = createSessionLoader(settings, memory, polls.ask);
  const identify: SessionStore['identify'] = (email, given) => provider.quietly(() => signInAs(provider, email, given));

  function load(): Promise<void> {
    channel ??= listen(openChannel(), load, leave);
    return find();
  }

  function leave(): void {
    memory.become({ user: undefined, loading: false, ended: 'logout' });
    provider.signOut();
  }

  return {
    get: memory.get,
    subscribe: memory.subscribe,
    refresh: polls.refresh,
    check: polls.check,
    adopt: memory.adopt,
    prove: createProof({ api, checks, memory, identify }),
    checks,
    openProvider: provider.open,
    openSession: opener.exchange,
    quietly: provider.quietly,
    identify,
    ...waysIn(settings, provider, opener.exchange),

    async load() {
      if (memory.get().unreachable) memory.set({ user: undefined, loading: true });
      await load();
    },

    async logout() {
      await api.call('endSession');
      leave();
      channel?.postMessage('signed-out');
    },
  };
}

function listen(channel: SessionChannel, load: () => Promise<void>, leave: () => void): SessionChannel {
  channel.addEventListener('message', ({ data }: MessageEvent) => {
    if (data === 'signed-in') void load();
    if (data === 'signed-out') leave();
  });
  return channel;
}

/** What somebody who isn't signed in can do. */
function waysIn(
  { api, tellOfWork }: Pick<SessionSettings, 'api' | 'tellOfWork'>,
  provider: ProviderAccess,
  exchange: SessionStore['openSession'],
): Omit<SessionActions, 'load' | 'logout'> {
  return {
    // The exchange follows once the profile is saved.
    createAccount: (user, password, continueTo) =>
      provider.quietly(async () => {
        provider.noteLength(password);
        const account = await createOrResume(await provider.open(), user.email, password, continueTo);
        const bearer = await account.idToken();
        await solvingChallenge(
          (proof) => api.call('registerUser', { body: { ...user, role: 'patient' }, bearer, proof }),
          tellOfWork,
        );
        await exchange(account);
      }),

    async signIn(email, password) {
      provider.noteLength(password);
      await exchange(await (await provider.open()).signIn(email, password));
    },

    async signInWithGoogle(choose) {
      const account = await (await provider.open()).signInWithGoogle(choose);
      if (!account) return false;
      await exchange(account);
      return true;
    },

    async sendPasswordReset(email) {
      try {
        await (await provider.open()).sendPasswordReset(email);
      } catch (error) {
        // Strangers mustn't find out which addresses are known.
        if (authCode(error) !== 'user-not-found') throw error;
      }
    },

    prepareSignIn() {
      provider.open().catch((error: unknown) => console.error('The sign-in code could not be prefetched', error));
    },
  };
}
