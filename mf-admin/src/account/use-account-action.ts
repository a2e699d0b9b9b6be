import { openAccount, type AccountActions } from '@clinic/app-kit';
import { useState } from 'react';

export interface AccountAction {
  readonly busy: boolean;
  /** Why the last attempt failed, as a sentence. */
  readonly failure: string | undefined;
  /** Runs `work` with the actions of the sign-in account. @returns its result; `undefined` if it failed */
  readonly run: <T>(work: (account: AccountActions) => Promise<T>) => Promise<T | undefined>;
}

/** Runs actions of the person's sign-in account and shows the outcome. */
export function useAccountAction(): AccountAction {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function run<T>(work: (account: AccountActions) => Promise<T>): Promise<T | undefined> {
    setFailure(undefined);
    setBusy(true);
    let account: AccountActions | undefined;
    try {
      account = await openAccount();
      return await work(account);
    } catch (error) {
      console.error('The sign-in account could not be changed', error);
      setFailure(
        account ? account.reasonFor(error) : 'This part of the page didn’t load. Reload the page and try again.',
      );
      return undefined;
    } finally {
      setBusy(false);
    }
  }

  return { busy, failure, run };
}
