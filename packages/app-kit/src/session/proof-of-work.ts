import { leadingZeroBits, proofText, type ProofChallenge } from '@clinic/contracts/proof-of-work';
import { sha256 } from '@noble/hashes/sha2.js';
import { ApiProblem } from '../api/api-problem.ts';

// Loaded only if the server asks for it, which is rare.

/** Milliseconds of work before yielding to the page. */
const sliceMs = 12;

/** Longest wait in seconds; beyond it the response says when to come back. */
const patienceSeconds = 90;

/** What a slow phone manages, for the estimate. */
const triesPerSecond = 200_000;

/** Challenges in a row: somebody else behind the same address may be faster. */
const mostChallenges = 4;

const bytes = new TextEncoder();

/**
 * Finds a number that solves a challenge, in short slices, so that the page stays responsive.
 *
 * @returns the value of the proof's header
 */
export async function solve({ salt, bits }: Pick<ProofChallenge, 'salt' | 'bits'>): Promise<string> {
  let sliceEnds = performance.now() + sliceMs;
  for (let number = 0; ; number += 1) {
    const text = proofText(salt, number);
    if (leadingZeroBits(sha256(bytes.encode(text))) >= bits) return text;
    // Reading the clock costs as much as a few tries.
    if (number % 64 !== 0 || performance.now() < sliceEnds) continue;
    await yieldToEventLoop();
    sliceEnds = performance.now() + sliceMs;
  }
}

/** Not `setTimeout`, which browsers delay by at least 4 ms, and by a second in the background. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/**
 * Solves the challenges of a call until it is let in.
 *
 * @param rejection - the first rejection
 * @param call - repeats the call with a proof
 * @param showWait - shows that it takes so many seconds; returns a function that hides this
 * @throws the call's errors, or the rejection if it would take too long
 */
export async function workOff<T>(
  rejection: ApiProblem,
  call: (proof: string) => Promise<T>,
  showWait: (seconds: number) => () => void,
): Promise<T> {
  const giveUpAt = performance.now() + patienceSeconds * 1_000;
  for (let tries = 1; ; tries += 1) {
    const { challenge } = rejection.problem;
    if (!challenge) throw rejection;
    const opensAt = performance.now() + challenge.waitSeconds * 1_000;
    if (opensAt > giveUpAt || tries > mostChallenges) throw rejection;
    const hideWait = showWait(Math.max(challenge.waitSeconds, Math.ceil(2 ** challenge.bits / triesPerSecond)));
    try {
      const proof = await solve(challenge);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, opensAt - performance.now())));
      return await call(proof);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      rejection = error;
    } finally {
      hideWait();
    }
  }
}
