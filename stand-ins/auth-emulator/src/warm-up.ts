/** The warm-up's own project; the caller deletes it afterwards. */
export const WARM_UP_PROJECT = 'warm-up';

const CLIENT = 'identitytoolkit.googleapis.com/v1';
const ADMIN = `${CLIENT}/projects/${WARM_UP_PROJECT}`;

const email = 'warm-up@example.org';
const password = 'warm-up';
const google = { sub: 'warm-up', email: 'warm-up.google@example.org', email_verified: true };

/**
 * Makes each call that browsers and services make once, in a separate project: the first call of each kind takes 100 to
 * 500 ms, which would otherwise delay a sign-in. One after the other, so that a visitor's call waits for at most one of
 * them.
 *
 * @param url address of the emulator
 * @param signal ends it early
 */
export async function warmUp(url: string, signal: AbortSignal): Promise<void> {
  const call = async (path: string, body: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/${path}`, {
      method: 'POST',
      // The emulator's administrator may act in any project, even with browsers' calls.
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, targetProjectId: WARM_UP_PROJECT }),
      signal,
    });
    return (await response.json()) as Record<string, unknown>;
  };

  // Calls of seeding first, then of sign-in, then the rest.
  const { localId } = await call(`${ADMIN}/accounts`, { email, password });
  await call(`${ADMIN}/accounts:lookup`, { localId: [localId] });
  await call(`${ADMIN}/accounts:update`, { localId, emailVerified: true });
  const { refreshToken } = await call(`${CLIENT}/accounts:signInWithPassword`, {
    email,
    password,
    returnSecureToken: true,
  });
  await call(`${CLIENT}/accounts:lookup`, { localId: [localId] });
  await call(`${CLIENT}/accounts:signUp`, { email: 'second@example.org', password });
  await call(`${CLIENT}/accounts:update`, { localId, displayName: 'Warm-up' });
  await call(`${CLIENT}/accounts:signInWithIdp`, {
    postBody: new URLSearchParams({ providerId: 'google.com', id_token: JSON.stringify(google) }).toString(),
    requestUri: 'http://localhost',
    returnSecureToken: true,
  });
  // The only call that requires an API key; any value will do.
  await call('securetoken.googleapis.com/v1/token?key=warm-up', { grantType: 'refresh_token', refreshToken });
  const { oobCode } = await call(`${CLIENT}/accounts:sendOobCode`, {
    requestType: 'PASSWORD_RESET',
    email,
    returnOobLink: true,
  });
  await call(`${CLIENT}/accounts:resetPassword`, { oobCode, newPassword: password });
  await call(`${CLIENT}/accounts:createAuthUri`, { identifier: email, continueUri: 'http://localhost' });
  await call(`${CLIENT}/accounts:delete`, { localId });
}
