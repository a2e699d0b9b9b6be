import { isToken, tokenFor } from '@clinic/service-kit/session-bundle';
import { cookieNames } from '@clinic/service-kit/session-token';

const names = new Set<string>([cookieNames.access, `__Host-${cookieNames.access}`]);

/**
 * The cookies for a service: of the session cookie, only the token made for it, so that it can't impersonate the
 * visitor at another service.
 *
 * @param cookies - the request's Cookie field
 * @param service - its name
 * @returns `undefined` if none is left
 */
export function cookiesFor(service: string, cookies: string): string | undefined {
  if (!cookies.includes(cookieNames.access)) return cookies;
  const kept: string[] = [];
  for (const cookie of cookies.split(';')) {
    const equals = cookie.indexOf('=');
    const name = cookie.slice(0, equals).trim();
    if (!names.has(name)) {
      kept.push(cookie.trim());
      continue;
    }
    const value = cookie.slice(equals + 1).trim();
    // A single token comes from the previous release's gateway or svc-identity.
    const token = isToken(value) ? value : tokenFor(value, service);
    if (token !== undefined) kept.push(`${name}=${token}`);
  }
  return kept.length > 0 ? kept.join('; ') : undefined;
}
