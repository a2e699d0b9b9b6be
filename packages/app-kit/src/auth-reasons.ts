import { ApiProblem } from './api-problem.ts';
import { authCode } from './auth-code.ts';

const wrongCredentials = 'the e-mail or the password is not right.';

/**
 * Messages for the identity provider's error codes. None of them reveals to a stranger whether an e-mail address has an account.
 */
const reasons: Readonly<Record<string, string>> = {
  'email-already-in-use':
    'this e-mail cannot be used for a new account. If it is yours, log in or reset your password.',
  'wrong-password': wrongCredentials,
  'user-not-found': wrongCredentials,
  'invalid-credential': wrongCredentials,
  'invalid-login-credentials': wrongCredentials,
  'invalid-email': 'this is not an e-mail address.',
  'weak-password': 'the password is too easy to guess. Take a longer one.',
  'too-many-requests': 'there were too many tries. Wait a few minutes, or reset your password.',
  'user-disabled': 'this account is switched off. Please call the clinic.',
  'network-request-failed': 'the login service does not answer. Check your connection and try again.',
  'popup-blocked': 'your browser blocked the Google window. Allow pop-ups for this page and try again.',
  'popup-closed-by-user': 'the Google window was closed before you chose an account.',
  'cancelled-popup-request': 'another Google window was opened.',
};

/**
 * Why signing in, registering or resetting a password failed, in words for the visitor.
 *
 * @param error - whatever a session action threw
 */
export function reasonFor(error: unknown): string {
  if (error instanceof ApiProblem) return error.message;
  const code = authCode(error);
  const reason = code === undefined ? undefined : reasons[code];
  if (reason) return reason;
  // The lazy sign-in code couldn't be loaded.
  if (error instanceof Error && error.name === 'ChunkLoadError') return 'the connection was lost. Please try again.';
  return 'something unexpected happened. Please try again.';
}
