import { testFetch } from '@clinic/service-kit/testing';
import type { ThreeServices } from './three-services.ts';

/** Signs in with Google, which proves that the address is theirs. @returns the `Cookie` header of the session */
export async function openSessionWithGoogle(
  services: Pick<ThreeServices, 'emulatorUrl' | 'urls'>,
  email: string,
): Promise<string> {
  const answer = await fetch(
    `${services.emulatorUrl}/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=test`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        returnSecureToken: true,
        requestUri: 'http://localhost',
        postBody: new URLSearchParams({
          providerId: 'google.com',
          id_token: JSON.stringify({ sub: email, email, email_verified: true }),
        }).toString(),
      }),
    },
  );
  const { idToken } = (await answer.json()) as { idToken?: string };
  const session = await testFetch(services.urls.identity)('/jwt', {
    method: 'POST',
    json: { email },
    headers: { Authorization: `Bearer ${idToken}` },
  });
  if (session.status !== 200)
    throw new Error(`signing in ${email} with Google answered ${session.status}: ${await session.text()}`);
  return session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
