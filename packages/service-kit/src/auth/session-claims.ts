import { roles, type Caller, type Role } from '@clinic/contracts';
import { z } from 'zod';

export { cookieNames, sessionToken } from './session-token.ts';

/** Maximum lifetime of an access token in seconds, and so how far back the session feed replays changes. */
export const longestTokenLife = 600;

/** The claims besides `iss`, `aud`, `iat`, `exp`. */
export const sessionClaims = z.object({
  sub: z.string().min(1),
  email: z.string().min(1),
  role: z.enum(roles),
  /** Rights beside the role; absent in tokens of an earlier release. */
  rgt: z.array(z.string()).optional(),
  ver: z.number().int(),
  sid: z.string().min(1),
  /** Whether the email address is confirmed. */
  conf: z.boolean().default(false),
  /** When the person last proved their identity, seconds since 1970. */
  prf: z.number().int().default(0),
});
export type SessionClaims = z.output<typeof sessionClaims>;

/** The person who sent a request. */
export interface SessionCaller extends Caller {
  /** `_id` of the user. */
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly rights?: readonly string[];
  readonly confirmed: boolean;
  /** When the person last proved their identity, seconds since 1970. */
  readonly provenAt: number;
  readonly sessionId: string;
  /** Version of the user's rights at the time the token was issued. */
  readonly version: number;
  /** When the access token expires, seconds since 1970. */
  readonly expiresAt: number;
}
