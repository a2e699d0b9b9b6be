export const projectId = 'demo-identity-test';
export const password = 'Correct-horse-1';
const commonPassword = password;

/** People who act at the emulated Firebase. */
export interface FirebasePeople {
  /** Creates a Firebase account. @returns its ID token */
  signUp(email: string): Promise<string>;
  signInWithPassword(email: string, password?: string): Promise<string>;
  /** Sets a new password through the mailed link, which only the owner of the mailbox gets. */
  resetPassword(email: string, newPassword: string): Promise<void>;
  signInWithGoogle(person: { readonly sub: string; readonly email: string; readonly name?: string }): Promise<string>;
  /** Confirms an account's email address at Firebase, as following the mailed link does. */
  confirmEmail(email: string): Promise<void>;
  /** Changes an account's address at Firebase, as following the link that was mailed to the new one does. */
  changeEmail(from: string, to: string): Promise<void>;
}

/**
 * @param url - of the emulator
 * @param project - the Firebase project
 * @param password - everybody's
 */
export function firebasePeople(url: string, project = projectId, password = commonPassword): FirebasePeople {
  const firebaseAsks = async (call: string, body: object): Promise<{ readonly idToken?: string }> => {
    const answer = await fetch(`${url}/identitytoolkit.googleapis.com/v1/accounts:${call}?key=test`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the emulator answered ${answer.status} to ${call}: ${await answer.text()}`);
    return (await answer.json()) as { idToken?: string };
  };
  const firebase = async (call: string, body: object): Promise<string> => {
    const { idToken } = await firebaseAsks(call, { returnSecureToken: true, ...body });
    if (idToken === undefined) throw new Error(`the emulator gave no ID token for ${call}`);
    return idToken;
  };
  const codeFor = (recipient: string, kind: string): Promise<string> => mailedCode(`${url}/emulator/v1/projects/${project}/oobCodes`, recipient, kind);

  return {
    signUp: (email) => firebase('signUp', { email, password }),
    signInWithPassword: (email, chosen = password) => firebase('signInWithPassword', { email, password: chosen }),
    async resetPassword(email, newPassword) {
      await firebaseAsks('sendOobCode', { requestType: 'PASSWORD_RESET', email });
      await firebaseAsks('resetPassword', { oobCode: await codeFor(email, 'PASSWORD_RESET'), newPassword });
    },
    async confirmEmail(email) {
      await firebaseAsks('sendOobCode', {
        requestType: 'VERIFY_EMAIL',
        idToken: await firebase('signInWithPassword', { email, password }),
      });
      await firebaseAsks('update', { oobCode: await codeFor(email, 'VERIFY_EMAIL') });
    },
    async changeEmail(from, to) {
      await firebaseAsks('sendOobCode', {
        requestType: 'VERIFY_AND_CHANGE_EMAIL',
        idToken: await firebase('signInWithPassword', { email: from, password }),
        newEmail: to,
      });
      await firebaseAsks('update', { oobCode: await codeFor(to, 'VERIFY_AND_CHANGE_EMAIL') });
    },
    signInWithGoogle: ({ sub, email, name }) =>
      firebase('signInWithIdp', {
        requestUri: 'http://localhost',
        postBody: new URLSearchParams({
          providerId: 'google.com',
          id_token: JSON.stringify({ sub, email, email_verified: true, name }),
        }).toString(),
      }),
  };
}

/** The code of the last link that was mailed to an address. */
async function mailedCode(codes: string, recipient: string, kind: string): Promise<string> {
  const answer = await fetch(codes);
  const { oobCodes } = (await answer.json()) as {
    oobCodes: readonly {
      readonly email: string;
      readonly newEmail?: string;
      readonly requestType: string;
      readonly oobCode: string;
    }[];
  };
  const mail = oobCodes.findLast(
    ({ email, newEmail = email, requestType }) => newEmail === recipient && requestType === kind,
  );
  if (!mail) throw new Error(`no ${kind} mail went to ${recipient}`);
  return mail.oobCode;
}
