import assert from 'node:assert/strict';
import { demoPassword } from '@clinic/demo-data';

/** Signs in at the identity provider. */
export async function idTokenOf(emulatorUrl: string, email: string, password = demoPassword): Promise<string> {
  const answer = await fetch(`${emulatorUrl}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=test`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password, returnSecureToken: true }),
  });
  const { idToken: token } = (await answer.json()) as { idToken?: string };
  return token ?? assert.fail(`the emulator answered ${answer.status} for ${email}`);
}
