/** The identity provider's code without its prefix, e.g. `wrong-password`. */
export function authCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('auth/') ? code.slice('auth/'.length) : undefined;
}
