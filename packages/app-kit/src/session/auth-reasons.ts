import { ApiProblem } from '../api/api-problem.ts';
import { authCode } from './auth-code.ts';

const wrongCredentials = 'the email address or password isn’t right.';

/**
 * Messages for the identity provider's error codes. None of them reveals to a stranger whether an email address has an account.
 */
const reasons: Readonly<Record<string, string>> = {
  'email-already-in-use':
    'you can’t use this email address for a new account. If it’s yours, log in or reset your password.',
  'wrong-password': wrongCredentials,
  'user-not-found': wrongCredentials,
  'invalid-credential': wrongCredentials,
  'invalid-login-credentials': wrongCredentials,
  'invalid-email': 'enter an email address like name@example.com.',
  'weak-password': 'the password is too easy to guess. Choose a longer one.',
  'too-many-requests': 'there were too many attempts. Wait a few minutes, or reset your password.',
  'user-disabled': 'this account is switched off. Call the clinic.',
  'network-request-failed': 'the login service isn’t responding. Check your connection and try again.',
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
  if (error instanceof Error && error.name === 'ChunkLoadError') return 'the connection was lost. Try again.';
  return 'something unexpected happened. Try again.';
}
