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

interface Jar {
  readonly access: string;
  readonly refresh: string;
  readonly secure: boolean;
}

/** Cookies with a path can't be `__Host-`, hence the weaker prefix of the refresh cookie. */
function jarOf(context: IdentityContext): Jar {
  const secure = cookiesAreSecure(context.settings);
  return {
    access: secure ? `__Host-${cookieNames.access}` : cookieNames.access,
    refresh: secure ? `__Secure-${cookieNames.refresh}` : cookieNames.refresh,
    secure,
  };
}

const accessOptions = (secure: boolean): CookieOptions => ({ httpOnly: true, sameSite: 'lax', path: '/', secure });
const refreshOptions = (secure: boolean): CookieOptions => ({
  httpOnly: true,
  sameSite: 'strict',
  path: '/jwt',
  secure,
});
/** Lets pages skip the request for the session if nobody is signed in; contains no secret. */
const hintOptions = (secure: boolean): CookieOptions => ({ httpOnly: false, sameSite: 'lax', path: '/', secure });

export function setSessionCookies(context: IdentityContext, response: Response, cookies: SessionCookies): void {
  const { access, refresh, secure } = jarOf(context);
  const { accessToken, accessEnds, refreshId, sessionEnds } = cookies;
  response.cookie(access, accessToken, { ...accessOptions(secure), expires: accessEnds });
  if (refreshId !== undefined) response.cookie(refresh, refreshId, { ...refreshOptions(secure), expires: sessionEnds });
  response.cookie(cookieNames.hint, '1', { ...hintOptions(secure), expires: sessionEnds });
}

export function clearSessionCookies(context: IdentityContext, response: Response): void {
  const { access, refresh, secure } = jarOf(context);
  response
    .clearCookie(access, accessOptions(secure))
    .clearCookie(refresh, refreshOptions(secure))
    .clearCookie(cookieNames.hint, hintOptions(secure));
}

/** The refresh id on the request. */
export function refreshIdOf(context: IdentityContext, request: Request): string | undefined {
  return cookieOf(request, jarOf(context).refresh);
}
