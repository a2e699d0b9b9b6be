import type { CookieOptions, Request, Response } from 'express';
import { cookieNames, cookieOf, cookiesAreSecure } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';

/** What a browser stores of a session. */
export interface SessionCookies {
  readonly accessToken: string;
  /** When the access token expires. */
  readonly accessEnds: Date;
  /** Only if it is new. */
  readonly refreshId?: string;
  /** When the session ends. */
  readonly sessionEnds: Date;
}

type Jar = Readonly<Record<'access' | 'refresh' | 'hint', readonly [name: string, options: CookieOptions]>>;

/** Cookies with a path can't be `__Host-`, hence the weaker prefix of the refresh cookie. */
function jarOf(context: IdentityContext): Jar {
  const secure = cookiesAreSecure(context.settings);
  const { access, refresh, hint } = cookieNames;
  const everywhere = { sameSite: 'lax', path: '/', secure } as const;
  return {
    access: [secure ? `__Host-${access}` : access, { ...everywhere, httpOnly: true }],
    refresh: [secure ? `__Secure-${refresh}` : refresh, { sameSite: 'strict', path: '/jwt', secure, httpOnly: true }],
    // Lets pages skip the request for the session if nobody is signed in; contains no secret.
    hint: [hint, { ...everywhere, httpOnly: false }],
  };
}

export function setSessionCookies(context: IdentityContext, response: Response, cookies: SessionCookies): void {
  const { accessToken, accessEnds, refreshId, sessionEnds } = cookies;
  const jar = jarOf(context);
  const set = ([name, options]: Jar['access'], value: string, expires: Date) =>
    response.cookie(name, value, { ...options, expires });
  set(jar.access, accessToken, accessEnds);
  if (refreshId !== undefined) set(jar.refresh, refreshId, sessionEnds);
  set(jar.hint, '1', sessionEnds);
}

export function clearSessionCookies(context: IdentityContext, response: Response): void {
  for (const [name, options] of Object.values(jarOf(context))) response.clearCookie(name, options);
}

/** The refresh id on the request. */
export function refreshIdOf(context: IdentityContext, request: Request): string | undefined {
  return cookieOf(request, jarOf(context).refresh[0]);
}
