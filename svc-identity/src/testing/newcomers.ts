import { hash } from 'node:crypto';
import type { Problem } from '@clinic/contracts';
import { proofText, type ProofChallenge } from '@clinic/contracts/proof-of-work';
import { untilServed } from '@clinic/service-kit/testing/wait-until';
import { profile } from './browser.ts';
import type { IdentityStack } from './identity-stack.ts';

interface Answer {
  readonly status: number;
  readonly wait: number;
  readonly challenge: ProofChallenge | undefined;
  readonly detail: string | undefined;
}

interface Newcomer {
  readonly email: string;
  readonly token: string;
}

/** People without an account, who register at a stack. */
export function newcomersTo(stack: Pick<IdentityStack, 'url' | 'signUp'>) {
  let people = 0;
  async function newcomer(): Promise<Newcomer> {
    people += 1;
    const email = `newcomer${people}@mail.example`;
    return { email, token: await stack.signUp(email) };
  }

  /**
   * Registers a new person from an address. A repeat isn’t counted again.
   *
   * @param call - `users`: with the form, `jwt`: by signing in for the first time
   */
  async function register(
    { email, token }: Newcomer,
    address: string,
    { proof, url = stack.url, call = 'users' }: { proof?: string; url?: string; call?: 'users' | 'jwt' } = {},
  ): Promise<Answer> {
    const answer = await untilServed(() =>
      fetch(`${url}/${call}`, {
        method: 'POST',
        body: JSON.stringify({ email, ...(call === 'users' && profile) }),
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          'x-forwarded-for': address,
          authorization: `Bearer ${token}`,
          ...(proof !== undefined && { 'proof-of-work': proof }),
        },
      }),
    );
    const { challenge, detail } = (await answer.json()) as Partial<Problem>;
    return { status: answer.status, wait: Number(answer.headers.get('retry-after')), challenge, detail };
  }

  return {
    newcomer,
    newcomers: (count: number) => Promise.all(Array.from({ length: count }, newcomer)),
    register,
  };
}

/** The proof for a challenge of up to 32 bits. Digests in hex take a quarter of the time of those in bytes. */
export function solve({ salt, bits }: ProofChallenge): string {
  for (let number = 0; ; number += 1) {
    const text = proofText(salt, number);
    if (Math.clz32(Number.parseInt(hash('sha256', text).slice(0, 8), 16)) >= bits) return text;
  }
}
