import { passwordFault } from '@clinic/contracts/password-policy';
import type { DurableProject } from './durable-project.ts';

/** A call that a visitor may make, not the emulator's administrator. */
export interface VisitorCall {
  /** The last part of the operation's name, e.g. `signUp`. */
  readonly operation: string;
  readonly body: unknown;
}

/** What the rules say about a call before it is made. */
export type Ruling =
  /** Message of the error, in Firebase's form: `CODE : what is wrong`. */
  | { readonly refused: string }
  /** To be called when the operation has succeeded. */
  | { readonly succeeded: (() => void) | undefined };

/** The fields of a request that the rules look at. */
interface AccountFields {
  readonly email?: unknown;
  readonly password?: unknown;
  readonly newPassword?: unknown;
  readonly idToken?: unknown;
  readonly oobCode?: unknown;
}

/**
 * What a real project does and the emulator doesn't: common passwords are refused (as a project with a blocking function
 * does), an address changes only by the link in a mail to it, and the old address hears of the change.
 */
export async function ruleOn(project: DurableProject, { operation, body }: VisitorCall): Promise<Ruling> {
  if (typeof body !== 'object' || body === null) return { succeeded: undefined };
  const { email, password, newPassword, idToken, oobCode }: AccountFields = body;
  const code = typeof oobCode === 'string' ? project.validateOobCode(oobCode) : undefined;

  const chosen = operation === 'signUp' || operation === 'update' ? password : operation === 'resetPassword' ? newPassword : undefined;
  if (typeof chosen === 'string' && chosen !== '') {
    // Who is staff only our own services know; their pages ask for more characters.
    const fault = await passwordFault(chosen, { staff: false, email: typeof email === 'string' ? email : code?.email });
    if (fault !== undefined) return { refused: `WEAK_PASSWORD : ${fault}` };
  }
  if ((operation === 'signUp' || operation === 'update') && typeof idToken === 'string' && typeof email === 'string' && email !== '' && !project.hasEmail(idToken, email)) {
    return { refused: 'OPERATION_NOT_ALLOWED : Please verify the new email before changing email.' };
  }
  if (operation === 'update' && code?.requestType === 'VERIFY_AND_CHANGE_EMAIL' && code.newEmail !== undefined) {
    const { email: from, newEmail: to } = code;
    return { succeeded: () => project.noticeOfChange(from, to) };
  }
  if (operation === 'update' && code?.requestType === 'RECOVER_EMAIL') return { succeeded: () => project.revokeTokens(code.email) };
  return { succeeded: undefined };
}
