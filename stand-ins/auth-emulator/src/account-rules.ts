import { passwordFault } from '@clinic/contracts/password-policy';
import type { DurableProject } from './durable-project.ts';
import type { Ruling, VisitorCall } from './visitor-call.ts';

/** The request fields that the rules check. */
interface AccountFields {
  readonly email?: unknown;
  readonly password?: unknown;
  readonly newPassword?: unknown;
  readonly idToken?: unknown;
  readonly oobCode?: unknown;
}

/**
 * Enforces what a real project does and the emulator doesn't: common passwords are rejected (as with a blocking
 * function), an address only changes through the link in a mail to it, and the old address is notified of the change.
 */
export async function ruleOn(project: DurableProject, { operation, body }: VisitorCall): Promise<Ruling> {
  if (typeof body !== 'object' || body === null) return { succeeded: undefined };
  const { email, password, newPassword, idToken, oobCode }: AccountFields = body;
  const code = typeof oobCode === 'string' ? project.validateOobCode(oobCode) : undefined;

  const chosen =
    operation === 'signUp' || operation === 'update'
      ? password
      : operation === 'resetPassword'
        ? newPassword
        : undefined;
  if (typeof chosen === 'string' && chosen !== '') {
    // Only our own services know who is staff; their pages require longer passwords.
    const fault = await passwordFault(chosen, { staff: false, email: typeof email === 'string' ? email : code?.email });
    if (fault !== undefined) return { rejected: `WEAK_PASSWORD : ${fault}` };
  }
  if (
    (operation === 'signUp' || operation === 'update') &&
    typeof idToken === 'string' &&
    typeof email === 'string' &&
    email !== '' &&
    !project.hasEmail(idToken, email)
  ) {
    return { rejected: 'OPERATION_NOT_ALLOWED : Please verify the new email before changing email.' };
  }
  if (operation === 'update' && code?.requestType === 'VERIFY_AND_CHANGE_EMAIL' && code.newEmail !== undefined) {
    const { email: from, newEmail: to } = code;
    return { succeeded: () => project.noticeOfChange(from, to) };
  }
  if (operation === 'update' && code?.requestType === 'RECOVER_EMAIL')
    return { succeeded: () => project.revokeTokens(code.email) };
  return { succeeded: undefined };
}
