import type { ChooseGoogleAccount } from './identity-provider.ts';
import { createStore, type Readable } from '../host/store.ts';

/** A person's answer to an {@link IdentityCheck}. */
export type IdentityAnswer =
  | { readonly by: 'password'; readonly password: string }
  | { readonly by: 'google'; readonly choose: ChooseGoogleAccount }
  /** Six digits from an authenticator app, or a recovery code; sent again, it has the key of its first attempt. */
  | { readonly by: 'code'; readonly code: string; readonly key: string };

/** A prompt for the person at the browser, while a call or an action waits for the answer. */
export interface IdentityCheck {
  /** Unique number of the prompt. */
  readonly id: number;
  /**
   * - `second_factor`: the code of the authenticator app, to finish signing in.
   * - `proof`: proof of identity before a sensitive action.
   * - `sign_in`: password or Google, because the identity provider changes an account only for somebody who has just signed in.
   * - `mail`: the same, because it sends mail only to somebody who is signed in there.
   */
  readonly kind: 'second_factor' | 'proof' | 'sign_in' | 'mail';
  /** Whose account it is. */
  readonly email: string;
  /** Tries an answer and closes the check. Rejects if the answer is wrong: the check stays open for another. */
  readonly answer: (given: IdentityAnswer) => Promise<void>;
  /** Cancels; the caller continues without an answer. */
  readonly cancel: () => void;
}

export interface IdentityChecks extends Readable<readonly IdentityCheck[]> {
  /**
   * Prompts the person and waits.
   *
   * @param attempt - tries an answer; its error is shown, and the person may try again
   * @returns the result of `attempt`, or `undefined` if the person cancelled
   */
  readonly ask: <T extends object>(
    kind: IdentityCheck['kind'],
    email: string,
    attempt: (given: IdentityAnswer) => Promise<T>,
  ) => Promise<T | undefined>;
  /** Cancels prompts that only make sense while somebody is logged in. */
  readonly leave: () => void;
}

/** The open checks, oldest first. The shell shows the first; if nothing shows them, they are cancelled at once. */
export function createIdentityChecks(): IdentityChecks {
  const open = createStore<readonly IdentityCheck[]>([]);
  let shown = 0;
  let asked = 0;
  return {
    get: open.get,
    subscribe(listener) {
      shown += 1;
      const end = open.subscribe(listener);
      return () => {
        shown -= 1;
        end();
      };
    },
    ask(kind, email, attempt) {
      // Without a dialog the application must not wait forever.
      if (shown === 0) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const close = (result?: Awaited<ReturnType<typeof attempt>>): void => {
          open.set(open.get().filter((other) => other !== check));
          resolve(result);
        };
        asked += 1;
        const check: IdentityCheck = {
          id: asked,
          kind,
          email,
          answer: async (given) => close(await attempt(given)),
          cancel: () => close(),
        };
        open.set([...open.get(), check]);
      });
    },
    leave() {
      for (const { kind, cancel } of open.get()) if (kind !== 'second_factor') cancel();
    },
  };
}
