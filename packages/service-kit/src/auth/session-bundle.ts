import { cookieNames, sessionToken } from './session-token.ts';

// A browser has one session cookie, but each service gets a token that only it accepts. svc-identity signs one payload
// once for each service: the JWS General JSON Serialization (RFC 7515, section 7.2.1). This is its form in the cookie,
// from which the gateway cuts a service's token (docs/security.md). Nothing here needs a key.

/** JWS General JSON Serialization: one payload, and for each audience a protected header and a signature. */
export interface GeneralJws {
  readonly payload: string;
  readonly signatures: readonly { readonly protected?: string; readonly signature: string }[];
}

/** The gateway names its services in this header, separated by commas, so that svc-identity signs for each of them. */
export const audiencesHeader = 'x-session-audiences';

/** Browsers keep at least this many bytes of name, value and attributes of a cookie (RFC 6265, section 6.1). */
export const maxCookieBytes = 4096;

/** Longest name of the cookie and its attributes, in bytes. */
const aroundValue =
  `__Host-${cookieNames.access}=; Path=/; Expires=Sun, 22 Nov 2026 10:00:00 GMT; HttpOnly; Secure; SameSite=Lax`.length;

/** Longest payload in bytes: its claims, with an email address of 254 characters. */
const maxPayloadBytes = 560;

const signatureBytes = 64;

/** A service's name, as in the gateway's SERVICES. */
const audienceName = /^[a-z][a-z0-9-]*$/;

const compactToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Whether the value is a single token in the JWS Compact Serialization. */
export function isToken(value: string): boolean {
  return compactToken.test(value);
}

/** Whether the value is a bundle, not a single token. */
export function isBundle(value: string): boolean {
  return value.includes('~');
}

/**
 * Header parameters of the token for an audience. The audience is a claim repeated in the header (RFC 7519, section
 * 5.3). It comes last, so that the headers of a bundle begin alike.
 */
export function tokenHeader<Fixed extends object>(fixed: Fixed, audience: string): Fixed & { readonly aud: string } {
  return { ...fixed, aud: audience };
}

/**
 * Writes a bundle: `payload.beginning~audience.rest.signature~audience.rest.signature…`. A token's protected header is
 * beginning + rest, as most of it is the same for all audiences.
 *
 * @param audiences - in the order of the signatures
 */
export function writeBundle({ payload, signatures }: GeneralJws, audiences: readonly string[]): string {
  const headers = signatures.map((one) => one.protected ?? '');
  const beginning = commonBeginning(headers);
  const parts = signatures.map(
    ({ signature }, at) => `~${audiences[at] ?? ''}.${headers[at]?.slice(beginning.length) ?? ''}.${signature}`,
  );
  return `${payload}.${beginning}${parts.join('')}`;
}

/** @returns the token for an audience in the JWS Compact Serialization; `undefined` if the bundle has none */
export function tokenFor(bundle: string, audience: string): string | undefined {
  const part = bundle.indexOf(`~${audience}.`);
  if (part === -1) return undefined;
  const rest = part + audience.length + 2;
  const next = bundle.indexOf('~', rest);
  const end = next === -1 ? bundle.length : next;
  const payloadEnd = bundle.indexOf('.');
  const signature = bundle.indexOf('.', rest);
  if (payloadEnd > part || signature === -1 || signature >= end) return undefined;
  const beginning = bundle.slice(payloadEnd + 1, bundle.indexOf('~'));
  const token = `${beginning}${bundle.slice(rest, signature)}.${bundle.slice(0, payloadEnd)}${bundle.slice(signature, end)}`;
  return isToken(token) ? token : undefined;
}

/** Reads {@link audiencesHeader}. @returns `undefined` if a name is invalid or repeated, or they don't fit a cookie */
export function readAudiences(header: string): readonly string[] | undefined {
  // Check this before computing anything for each of them.
  if (header.length > maxCookieBytes) return undefined;
  const audiences = header.split(',');
  if (!audiences.every((name) => audienceName.test(name)) || new Set(audiences).size < audiences.length)
    return undefined;
  return fitsCookie(audiences) ? audiences : undefined;
}

/** Whether browsers accept the cookie of any user with a token for each of these audiences. */
export function fitsCookie(audiences: readonly string[]): boolean {
  return longestBundle(audiences) + aroundValue <= maxCookieBytes;
}

/** Length of the longest bundle for these audiences, in bytes. */
export function longestBundle(audiences: readonly string[]): number {
  // The key's name is a SHA-256 thumbprint.
  const fixed = { alg: sessionToken.algorithm, kid: base64(32), typ: sessionToken.type };
  const signatures = audiences.map((audience) => ({
    protected: Buffer.from(JSON.stringify(tokenHeader(fixed, audience))).toString('base64url'),
    signature: base64(signatureBytes),
  }));
  return writeBundle({ payload: base64(maxPayloadBytes), signatures }, audiences).length;
}

const base64 = (bytes: number): string => Buffer.alloc(bytes).toString('base64url');

function commonBeginning(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
