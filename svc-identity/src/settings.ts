import type { StaffRules } from './users/user-record.ts';
import {
  choice,
  httpUrls,
  integer,
  keptDays,
  networks,
  optionalText,
  text,
  type ContextFor,
  type SettingsSpec,
} from '@clinic/service-kit';

export const settings = {
  // Other services find this one at that address.
  IDENTITY_URL: httpUrls({ default: ['http://127.0.0.1'] }),
  FIREBASE_PROJECT_ID: text({ expected: 'must be the id of the Firebase project', example: 'demo-clinic' }),
  FIREBASE_AUTH_EMULATOR_HOST: optionalText({
    expected: 'must be host:port of the Firebase Auth emulator',
    example: '127.0.0.1:9099',
  }),
  /** Only for deleting people's accounts on request; signing in doesn't need it. */
  FIREBASE_SERVICE_ACCOUNT_FILE: optionalText({
    expected: "must be the path of a service account's key",
    example: '/run/secrets/firebase.json',
  }),
  SESSION_KEY_FILE: text({
    expected: 'must be the path of a private Ed25519 key, PEM or JWK',
    example: '/run/secrets/session-key.pem',
  }),
  /** The previous key, after a change of SESSION_KEY_FILE: secrets of authenticator apps are re-encrypted at start. */
  SESSION_KEY_PREVIOUS_FILE: optionalText({
    expected: 'must be the path of the private Ed25519 key that was used before',
    example: '/run/secrets/session-key-previous',
  }),
  /** Whether doctors, pharmacists and admins must set up an authenticator app; see {@link staffRules} for the default. */
  STAFF_SECOND_FACTOR: choice(['required', 'optional', 'off', 'auto'], { default: 'auto' }),
  /**
   * Whether the passwords of doctors, pharmacists and admins must be known to have 12 characters; see {@link staffRules} for
   * the default.
   */
  STAFF_LONG_PASSWORD: choice(['required', 'off', 'auto'], { default: 'auto' }),
  /** Days that an invitation link works. */
  INVITATION_DAYS: integer({ min: 1, max: 60, default: 7 }),
  ACCESS_TOKEN_SECONDS: integer({ min: 60, max: 600, default: 300 }),
  SESSION_DAYS: integer({ min: 1, max: 90, default: 30 }),
  SESSION_IDLE_DAYS: integer({ min: 1, max: 90, default: 7 }),
  /** Days to keep sign-ins, rejected ones and log-outs in the history; 0: for ever. */
  SIGN_INS_KEPT_DAYS: keptDays(365),
  /** Days to keep a session after its end. */
  ENDED_SESSIONS_KEPT_DAYS: keptDays(1),
  /** Days to keep an invitation after its end. */
  INVITATIONS_KEPT_DAYS: keptDays(90),
  SIGN_INS_PER_MINUTE_AND_ADDRESS: integer({ min: 1, max: 1_000_000, default: 300 }),
  /** New accounts per hour and network (IPv4 address, IPv6 /64) without proof of work. */
  REGISTRATIONS_PER_HOUR_AND_NETWORK: integer({ min: 0, max: 1_000_000, default: 5 }),
  /** The clinic's own networks, from which any number may register. */
  REGISTRATIONS_UNLIMITED_FROM: networks(),
  SIGN_INS_PER_MINUTE_AND_ACCOUNT: integer({ min: 1, max: 1_000_000, default: 60 }),
} satisfies SettingsSpec;

export type IdentityContext = ContextFor<typeof settings>;

/**
 * Requirements for a staff role to take effect. By default everything with a real project, nothing in a demo, where passwords
 * are public.
 */
export function staffRules({
  STAFF_SECOND_FACTOR: secondFactor,
  STAFF_LONG_PASSWORD: longPassword,
  DEMO_MODE,
  FIREBASE_AUTH_EMULATOR_HOST: emulator,
}: IdentityContext['settings']): StaffRules {
  const real = !DEMO_MODE && emulator === undefined;
  return {
    secondFactor: secondFactor === 'auto' ? real : secondFactor === 'required',
    longPassword: longPassword === 'auto' ? real : longPassword === 'required',
  };
}
