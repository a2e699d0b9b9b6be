import {
  audiencesHeader,
  cookieNames,
  cookieOf,
  cookiesAreSecure,
  ProblemError,
  readAudiences,
} from '@clinic/service-kit';
import { proofHeader } from '@clinic/contracts/proof-of-work';
import type { CookieOptions, Request, Response } from 'express';
import type { IdentityContext } from '../settings.ts';

/** What a browser stores of a session. */
interface SessionCookies {
  readonly accessToken: string;
  /** When the access token expires. */
  readonly accessEnds: Date;
  /** Only if it is new. */
  readonly refreshId?: string;
  /** When the session ends. */
  readonly sessionEnds: Date;
}

/** The browser that sent a request: what it tells of itself, and the cookies that it keeps for the clinic. */
export interface CallingBrowser {
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
  /** Of the session that it has. */
  readonly refreshId: string | undefined;
  /** Gives no access: wrong codes of a device that has passed a second factor count apart. */
  readonly deviceId: string | undefined;
  /** That it has worked off a challenge of the limits on registration. */
  readonly proofOfWork: string | undefined;
  /** The services that the gateway has named, each of which gets a token of its own; none from an older gateway. */
  readonly audiences: readonly string[];
  keepSession(cookies: SessionCookies): void;
  forgetSession(): void;
  keepDevice(id: string): void;
}

/** A device is forgotten after half a year without a sign-in; milliseconds. */
const deviceLifetime = 180 * 86_400_000;

type Jar = Readonly<Record<'access' | 'refresh' | 'hint' | 'device', readonly [name: string, options: CookieOptions]>>;

/** Cookies with a path can't be `__Host-`, hence the weaker prefix of those that only sign-ins get. */
function jarOf(context: Pick<IdentityContext, 'settings'>): Jar {
  const secure = cookiesAreSecure(context.settings);
  const { access, refresh, hint } = cookieNames;
  const everywhere = { sameSite: 'lax', path: '/', secure } as const;
  const signInOnly = { sameSite: 'strict', path: '/jwt', secure, httpOnly: true } as const;
  return {
    access: [secure ? `__Host-${access}` : access, { ...everywhere, httpOnly: true }],
    refresh: [secure ? `__Secure-${refresh}` : refresh, signInOnly],
    // Lets pages skip the request for the session if nobody is signed in; contains no secret.
    hint: [hint, { ...everywhere, httpOnly: false }],
    device: [secure ? '__Secure-clinic_known_device' : 'clinic_known_device', signInOnly],
  };
}

/** @throws ProblemError malformed_request for invalid names of services, which a gateway never sends */
export function browserOf(
  context: Pick<IdentityContext, 'settings'>,
  { req, res }: { readonly req: Request; readonly res: Response },
): CallingBrowser {
  const { access, refresh, hint, device } = jarOf(context);
  const set = ([name, options]: Jar['access'], value: string, expires: Date) =>
    res.cookie(name, value, { ...options, expires });
  const deviceId = cookieOf(req, device[0]);
  return {
    address: req.ip,
    userAgent: req.get('user-agent'),
    refreshId: cookieOf(req, refresh[0]),
    deviceId: deviceId !== undefined && /^[\w-]{43}$/.test(deviceId) ? deviceId : undefined,
    proofOfWork: req.get(proofHeader),
    audiences: audiencesOf(req),
    keepSession({ accessToken, accessEnds, refreshId, sessionEnds }) {
      set(access, accessToken, accessEnds);
      if (refreshId !== undefined) set(refresh, refreshId, sessionEnds);
      set(hint, '1', sessionEnds);
    },
    forgetSession() {
      for (const [name, options] of [access, refresh, hint]) res.clearCookie(name, options);
    },
    keepDevice(id) {
      set(device, id, new Date(Date.now() + deviceLifetime));
    },
  };
}

function audiencesOf(request: Request): readonly string[] {
  const named = request.get(audiencesHeader);
  if (named === undefined) return [];
  const audiences = readAudiences(named);
  if (!audiences)
    throw new ProblemError('malformed_request', {
      detail: `${audiencesHeader} must be the names of services, separated by commas, few enough for a cookie.`,
    });
  return audiences;
}
