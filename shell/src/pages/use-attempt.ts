import { useState } from 'react';

interface Attempts {
  readonly busy: boolean;
  /** Why the last attempt failed, as a sentence. */
  readonly failure: string | undefined;
  /**
   * Runs a form's work, one attempt at a time.
   *
   * @param work - resolves to false if the person has to correct something. Otherwise the form stays busy, since another
   * page or dialog follows
   */
  readonly attempt: (work: () => Promise<unknown>) => Promise<void>;
}

/**
 * The attempts to send a form.
 *
 * @param log - of a failure
 * @param explain - returns a failure in words for the person; it may also show it beside the fields
 */
export function useAttempt(log: string, explain: (error: unknown) => string): Attempts {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    if (busy) return;
    setFailure(undefined);
    setBusy(true);
    try {
      if ((await work()) === false) setBusy(false);
    } catch (error) {
      console.error(log, error);
      setFailure(explain(error));
      setBusy(false);
    }
  }

  return { busy, failure, attempt };
}
