import { openBrowser, type Browser } from './browser.ts';
import type { IdentityStack } from './identity-stack.ts';

/** Somebody who registered with a password, and hasn't confirmed the address, which may be somebody else's. */
export async function registerUnconfirmed(
  stack: IdentityStack,
  email: string,
  firstName = 'Squatter',
): Promise<Browser> {
  const browser = openBrowser(stack.url);
  const idToken = await stack.signUp(email);
  for (const answer of [
    await browser.startSession(email, idToken),
    await browser.register(email, { idToken, firstName }),
  ])
    if (answer.status !== 200) throw new Error(`registering answered ${answer.status}: ${await answer.text()}`);
  return browser;
}

/** Puts a second factor on an account, confirmed or not, as people could in earlier releases. No code is right. */
export async function putSecondFactor(stack: IdentityStack, email: string): Promise<void> {
  const secondFactor = { secret: 'sealed', since: new Date(), lastStep: 0, recoverySalt: '', recoveryHashes: [] };
  await stack.users.updateOne({ email }, { $set: { secondFactor } });
}
