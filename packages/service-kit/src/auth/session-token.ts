/** Fixed properties of every session token; verification checks all of them. */
export const sessionToken = {
  issuer: 'clinic-identity',
  audience: 'clinic',
  type: 'session+jwt',
  algorithm: 'EdDSA',
} as const;

/** Names of the session cookies without their prefix. */
export const cookieNames = { access: 'clinic_session', refresh: 'clinic_refresh', hint: 'signed_in' } as const;
