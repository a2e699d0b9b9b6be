import pWaitFor from 'p-wait-for';

/**
 * Polls until a condition holds.
 *
 * @param check - false while it returns `false` or throws, e.g. by an assertion
 * @param within - the longest wait, milliseconds; long, so that a busy machine fails no test
 * @param every - the pause between two checks, milliseconds: longer if a check is costly
 * @param signal - ends the wait, with its reason as the error
 * @returns what the check returned
 * @throws after that time, what the check threw last, or an Error that names the check
 */
export async function waitUntil<T>(
  check: () => T | Promise<T>,
  within = 90_000,
  every = Math.min(within / 100, 20),
  signal?: AbortSignal,
): Promise<Exclude<T, false>> {
  let unmet: unknown;
  const poll = async () => {
    try {
      const result = await check();
      unmet = new Error(`not within ${within} ms: ${check.toString()}`);
      return result === false ? false : pWaitFor.resolveWith(result as Exclude<T, false>);
    } catch (error) {
      unmet = error;
      return false;
    }
  };
  const fallback = (): never => {
    throw unmet;
  };
  return pWaitFor(poll, { interval: every, timeout: { milliseconds: within, fallback }, ...(signal && { signal }) });
}

/**
 * Repeats a request while the service has no time for it, as its visitors are asked to: among many that want the same, on
 * a slow machine, a transaction can end before its turn has come.
 *
 * @param send - sends the request, with the same idempotency key each time if it creates something
 * @returns the first other response
 */
export async function untilServed(send: () => Promise<Response>): Promise<Response> {
  for (let answer = await send(); ; answer = await send()) {
    // An attempt that was answered for its length may still be at work.
    const isAtWork = answer.status === 409 && answer.headers.has('retry-after');
    if (answer.status !== 503 && !isAtWork) return answer;
    await answer.body?.cancel();
  }
}

/** Waits until the clock's next full second: Firebase's times have no fractions, and the next one must be later. */
export async function nextSecond(): Promise<void> {
  const second = (): number => Math.floor(Date.now() / 1_000);
  const now = second();
  await waitUntil(() => second() > now);
}
