import { minStaffPasswordLength, type CallBody, type Session, type SessionUser } from '@clinic/contracts';
import type { Api } from '../api/api-client.ts';
import { ApiProblem, isRejection, isWorthRetrying, localProblem } from '../api/api-problem.ts';
import { authCode } from './auth-code.ts';
import { createIdentityChecks, type IdentityAnswer, type IdentityChecks } from './identity-check.ts';
import type { ChooseGoogleAccount, IdentityAccount, IdentityProvider } from './identity-provider.ts';
import { newId } from '../api/new-id.ts';
import { createStore, type Readable } from '../host/store.ts';

export interface SessionState {
  readonly user: SessionUser | undefined;
  /** True until it is known whether somebody is signed in. */
  readonly loading: boolean;
  /**
   * How the last session ended. After a log-out nobody wants to return to where they were. `everywhere`: all sessions of the
   * account were ended from elsewhere; `disabled`: the account was switched off.
   */
  readonly ended?: 'logout' | 'expired' | 'everywhere' | 'disabled';
  /** Somebody may be signed in, but the server doesn't answer. */
  readonly unreachable?: boolean;
}

/** The fields of the registration form, without the password. */
export type NewUser = Omit<CallBody<'registerUser'>, 'password' | 'role'>;

export interface SessionActions {
  /**
   * Registers with the identity provider and saves the profile; safe to repeat after any failure in between.
   *
   * @param continueTo - our address to which the page that confirms the email address links
   */
  readonly createAccount: (user: NewUser, password: string, continueTo?: string) => Promise<void>;
  readonly signIn: (email: string, password: string) => Promise<void>;
  /** @returns whether somebody signed in; false if no account was chosen */
  readonly signInWithGoogle: (choose: ChooseGoogleAccount) => Promise<boolean>;
  readonly logout: () => Promise<void>;
  readonly sendPasswordReset: (email: string) => Promise<void>;
  /** Fetches the sign-in code before it is needed, e.g. when the pointer reaches the login link. */
  readonly prepareSignIn: () => void;
  /** Finds out who is signed in: at the start, and again if that failed. */
  readonly load: () => Promise<void>;
}

export interface SessionStore extends Readable<SessionState>, SessionActions {
  /** Exchange the refresh cookie for a new access token, shared by concurrent callers. @returns whether there is a session again */
  readonly refresh: () => Promise<boolean>;
  /** Checks that the person is still signed in, with the same rights. @throws ApiProblem if the server couldn't be reached */
  readonly check: () => Promise<void>;
  /** Asks the person to prove their identity, once for all concurrent callers. @returns whether they did */
  readonly prove: () => Promise<boolean>;
  /** Prompts waiting for the person; whoever subscribes shows them. */
  readonly checks: IdentityChecks;
  /** The identity provider, loaded once. */
  readonly openProvider: () => Promise<IdentityProvider>;
  /** Opens our session for an account that has just signed in. @throws ApiProblem */
  readonly openSession: (account: IdentityAccount, more?: OpeningSession) => Promise<void>;
  /** Runs `work`, whose sign-ins open no session of ours. */
  readonly quietly: <T>(work: () => Promise<T>) => Promise<T>;
  /** Has the person sign in at the identity provider as `email`, without opening another session. @throws the provider's errors */
  readonly identify: (email: string, given: IdentityAnswer) => Promise<IdentityAccount>;
}

export interface OpeningSession {
  /** The password was just changed or reset: all other sessions end. */
  readonly passwordChanged?: boolean;
  /** The account changed since it signed in: pass a new proof to our server. */
  readonly renew?: boolean;
  /** The new password. */
  readonly newPassword?: string;
}

/** What the session needs of a `BroadcastChannel`. */
export type SessionChannel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;

export interface SessionSettings {
  readonly api: Api;
  /** Whether the readable cookie says that somebody is signed in. */
  readonly hasHint: () => boolean;
  readonly loadProvider: () => Promise<IdentityProvider>;
  /** Connects to the other tabs, once the session is first requested. */
  readonly openChannel: () => SessionChannel;
  /** Shows that a new account takes so many seconds, because many came from the same network. @returns a function that hides this */
  readonly tellOfWork: (seconds: number) => () => void;
  /** Milliseconds between attempts to reach the server at load. */
  readonly retryDelays?: readonly number[];
  readonly checks?: IdentityChecks;
  /** Milliseconds between later attempts, while it is unknown who is signed in; also the time limit of each. */
  readonly askAgainAfter?: number;
}

/** The session as the browser knows it: who is signed in, and the ways in and out. */
export function createSessionStore({
  api,
  hasHint,
  loadProvider,
  openChannel,
  tellOfWork,
  retryDelays = [400, 1200, 3000],
  checks = createIdentityChecks(),
  askAgainAfter = 2000,
}: SessionSettings): SessionStore {
  const store = createStore<SessionState>({ user: undefined, loading: true });
  let provider: Promise<IdentityProvider> | undefined;
  let refreshing: Promise<boolean> | undefined;
  let channel: SessionChannel | undefined;
  let proving: Promise<boolean> | undefined;
  // Sign-ins that another action follows up.
  let quiet = 0;
  let askingAgain: ReturnType<typeof setTimeout> | undefined;
  // Responses to questions asked before somebody signed in or out are outdated.
  let generation = 0;
  const exchanges = new Map<string, Promise<void>>();
  // Of the password last used here. Only the browser sees passwords; our server requires longer ones for staff.
  let longPassword = false;
  const noteLength = (password: string): void => {
    longPassword = Array.from(password).length >= minStaffPasswordLength;
  };

  function become(state: SessionState): void {
    generation += 1;
    if (!state.user) {
      exchanges.clear();
      checks.leave();
    }
    store.set(state);
  }

  function openProvider(): Promise<IdentityProvider> {
    provider ??= loadProvider().then((opened) => {
      opened.onReport((account) => {
        if (quiet === 0)
          exchange(account).catch((error: unknown) =>
            console.error('Could not open a session for the reported user', error),
          );
      });
      return opened;
    });
    provider.catch(() => {
      // The next attempt loads it again.
      provider = undefined;
    });
    return provider;
  }

  /** Makes a call for which a new account may have to solve a challenge. */
  async function letIn<T>(call: (proof?: string) => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiProblem) || !error.problem.challenge) throw error;
      const { workOff } = await import(/* webpackChunkName: "proof-of-work" */ './proof-of-work.ts');
      return await workOff(error, call, tellOfWork);
    }
  }

  /**
   * Exchanges a proof of the identity provider for our session; the auth state report and the action that caused it share
   * one call.
   */
  async function exchange(
    account: IdentityAccount,
    { passwordChanged, renew, newPassword }: OpeningSession = {},
  ): Promise<void> {
    if (newPassword !== undefined) noteLength(newPassword);
    const bearer = await account.idToken(renew);
    const running = exchanges.get(bearer);
    if (running && !passwordChanged) return running;
    const call = start(
      { email: account.email, ...(passwordChanged && { passwordChanged }), ...(longPassword && { longPassword }) },
      bearer,
    ).then(({ user }) => {
      become({ user, loading: false });
      channel?.postMessage('signed-in');
    });
    exchanges.clear();
    exchanges.set(bearer, call);
    call.catch(() => exchanges.delete(bearer));
    return call;
  }

  async function start(body: CallBody<'startSession'>, bearer: string): Promise<Session> {
    try {
      return await letIn((proof) => api.call('startSession', { body, bearer, proof }));
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== 'second_factor_needed') throw error;
      const opened = await checks.ask('second_factor', body.email, (given) =>
        api.call('startSession', { body: { ...body, ...(given.by === 'code' && { code: given.code }) }, bearer }),
      );
      if (!opened) throw localProblem('second_factor_needed', 'You didn’t enter the code.', newId(), error);
      return opened;
    }
  }

  async function quietly<T>(work: () => Promise<T>): Promise<T> {
    quiet += 1;
    try {
      return await work();
    } finally {
      // The provider's auth state report follows its response within the same task.
      setTimeout(() => {
        quiet -= 1;
      });
    }
  }

  const identify = (email: string, given: IdentityAnswer): Promise<IdentityAccount> =>
    quietly(async () => {
      if (given.by === 'code') throw new Error('The identity provider knows no codes');
      const opened = await openProvider();
      if (given.by === 'password') noteLength(given.password);
      const account =
        given.by === 'password'
          ? await opened.signIn(email, given.password)
          : await opened.signInWithGoogle(given.choose, email);
      if (!account) throw localProblem('forbidden', 'No Google account was chosen.', newId());
      if (account.email.toLowerCase() === email.toLowerCase()) return account;
      await opened.signOut();
      throw localProblem('forbidden', `That’s a different account. Choose ${email}.`, newId());
    });

  async function proveBy(email: string, given: IdentityAnswer): Promise<SessionUser> {
    const asked = generation;
    const body =
      given.by === 'code' ? { code: given.code } : { idToken: await (await identify(email, given)).idToken() };
    const { user } = await api.call('proveIdentity', { body });
    if (asked === generation) store.set({ user, loading: false });
    return user;
  }

  async function prove(): Promise<boolean> {
    const email = store.get().user?.email;
    if (email === undefined) return false;
    proving ??= checks
      .ask('proof', email, (given) => proveBy(email, given))
      .then((proven) => proven !== undefined)
      .finally(() => {
        proving = undefined;
      });
    return proving;
  }

  async function refreshOnce(): Promise<boolean> {
    const asked = generation;
    try {
      const { user } = await api.call('refreshSession');
      if (asked === generation) store.set({ user, loading: false });
      return true;
    } catch (error) {
      if (!isRejection(error)) throw error;
      if (asked === generation) become({ user: undefined, loading: false, ended: endOf(error) });
      return false;
    }
  }

  async function refresh(): Promise<boolean> {
    const { user, loading, unreachable } = store.get();
    // Nobody is signed in: there is nothing to refresh, and how the session ended stays unchanged.
    if (!user && !loading && !unreachable) return false;
    refreshing ??= refreshOnce().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  async function ask(signal?: AbortSignal): Promise<void> {
    const asked = generation;
    try {
      const { user } = await api.call('getSession', signal ? { signal } : {});
      if (asked === generation) become({ user, loading: false });
    } catch (error) {
      if (!isRejection(error)) throw error;
      await refresh();
    }
  }

  async function check(): Promise<void> {
    const before = store.get().user;
    if (!before) return;
    const asked = generation;
    try {
      const { user } = await api.call('getSession');
      if (asked === generation && JSON.stringify(user) !== JSON.stringify(before)) store.set({ user, loading: false });
    } catch (error) {
      if (!isRejection(error)) throw error;
      await refresh();
    }
  }

  async function load(): Promise<void> {
    channel ??= listen();
    if (!hasHint()) return become({ user: undefined, loading: false });
    const asked = generation;
    for (const delay of [...retryDelays, undefined]) {
      try {
        return await ask();
      } catch (error) {
        if (delay === undefined || !isWorthRetrying(error)) {
          console.error('Could not find out who is signed in', error);
          if (asked !== generation) return;
          store.set({ ...store.get(), loading: false, unreachable: true });
          return askAgainLater();
        }
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  }

  /** Retries until the server answers, so that no page stays blocked longer than the server is unavailable. */
  function askAgainLater(): void {
    clearTimeout(askingAgain);
    askingAgain = setTimeout(() => {
      if (!store.get().unreachable) return;
      // Log it once; an attempt that hangs must not keep the next one from reaching the server.
      ask(AbortSignal.timeout(askAgainAfter))
        .catch(() => undefined)
        .finally(() => {
          if (store.get().unreachable) askAgainLater();
        });
    }, askAgainAfter);
  }

  function leave(): void {
    become({ user: undefined, loading: false, ended: 'logout' });
    // Our session is over whether or not the provider forgets the user, whom it only holds in memory.
    provider
      ?.then((opened) => opened.signOut())
      .catch((error: unknown) => console.error('The identity provider could not sign the user out', error));
  }

  function listen(): SessionChannel {
    const opened = openChannel();
    opened.addEventListener('message', ({ data }: MessageEvent) => {
      if (data === 'signed-in') void load();
      if (data === 'signed-out') leave();
    });
    return opened;
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh,
    check,
    prove,
    checks,
    openProvider,
    openSession: exchange,
    quietly,
    identify,

    async load() {
      if (store.get().unreachable) store.set({ user: undefined, loading: true });
      await load();
    },

    // The exchange follows once the profile is saved.
    createAccount: (user, password, continueTo) =>
      quietly(async () => {
        noteLength(password);
        const account = await createOrResume(await openProvider(), user.email, password, continueTo);
        const bearer = await account.idToken();
        await letIn((proof) => api.call('registerUser', { body: { ...user, role: 'patient' }, bearer, proof }));
        await exchange(account);
      }),

    async signIn(email, password) {
      noteLength(password);
      await exchange(await (await openProvider()).signIn(email, password));
    },

    async signInWithGoogle(choose) {
      const account = await (await openProvider()).signInWithGoogle(choose);
      if (!account) return false;
      await exchange(account);
      return true;
    },

    async logout() {
      await api.call('endSession');
      leave();
      channel?.postMessage('signed-out');
    },

    async sendPasswordReset(email) {
      try {
        await (await openProvider()).sendPasswordReset(email);
      } catch (error) {
        // A stranger can't tell an unknown address from a known one.
        if (authCode(error) !== 'user-not-found') throw error;
      }
    },

    prepareSignIn() {
      openProvider().catch((error: unknown) => console.error('The sign-in code could not be prefetched', error));
    },
  };
}

/** @param error - the rejection of a refresh */
function endOf(error: unknown): 'expired' | 'everywhere' | 'disabled' {
  const code = error instanceof ApiProblem ? error.code : undefined;
  if (code === 'account_disabled') return 'disabled';
  return code === 'session_ended' ? 'everywhere' : 'expired';
}

/**
 * Creates the account, or finds the one that an earlier attempt created before the profile could be saved: whoever knows its
 * password may continue.
 */
async function createOrResume(
  provider: IdentityProvider,
  email: string,
  password: string,
  continueTo: string | undefined,
): Promise<IdentityAccount> {
  try {
    return await provider.createAccount(email, password, continueTo);
  } catch (error) {
    if (authCode(error) !== 'email-already-in-use') throw error;
    return await provider.signIn(email, password).catch(() => {
      throw error;
    });
  }
}
