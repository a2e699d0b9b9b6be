import type { CallBody, SessionUser } from '@clinic/contracts';
import type { Api } from '../api/api-client.ts';
import type { Readable } from '../host/store.ts';
import type { IdentityAnswer, IdentityChecks } from './identity-check.ts';
import type { ChooseGoogleAccount, IdentityAccount, IdentityProvider } from './identity-provider.ts';

export interface SessionState {
  readonly user: SessionUser | undefined;
  /** True until it is known whether somebody is signed in. */
  readonly loading: boolean;
  /**
   * How the last session ended. After a log-out nobody returns to where they were. `everywhere`: all sessions of the
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
  /**
   * Exchange the refresh cookie for a new access token, shared by concurrent callers. @returns whether there is a
   * session again
   */
  readonly refresh: () => Promise<boolean>;
  /**
   * Checks that the person is still signed in, with the same rights. @throws ApiProblem if the server couldn't be
   * reached
   */
  readonly check: () => Promise<void>;
  /** Takes the state that another tab has just learned from the server. */
  readonly adopt: (state: SessionState) => void;
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
  /**
   * Has the person sign in at the identity provider as `email`, without opening another session. @throws the provider's
   * errors
   */
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
  /**
   * Shows why a new account takes some seconds: many came from the same network. @returns a function that
   * hides this
   */
  readonly tellOfWork: (title: string, text: string) => () => void;
  /** Milliseconds between attempts to reach the server at load. */
  readonly retryDelays?: readonly number[];
  readonly checks?: IdentityChecks;
  /** Milliseconds between later attempts, while it is unknown who is signed in; also the time limit of each. */
  readonly askAgainAfter?: number;
}
