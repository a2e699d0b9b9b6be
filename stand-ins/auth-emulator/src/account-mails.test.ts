import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { nextSecond } from '@clinic/service-kit/testing/wait-until';
import {
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  linkWithCredential,
  sendEmailVerification,
  sendPasswordResetEmail,
  updateEmail,
  updatePassword,
  verifyBeforeUpdateEmail,
  verifyPasswordResetCode,
} from 'firebase/auth';
import type { DemoMail } from './demo-mails.ts';
import { password, startSdk } from './testing/sdk.ts';

const sdk = await startSdk('demo-mails');
after(() => sdk.close());
const { admin, newClient, signUp, signIn } = sdk;

let numbered = 0;
function newEmail(): string {
  numbered += 1;
  return `person${numbered}@mail.example`;
}
/** The mails to an address whose links haven't been used, newest first. */
const mailbox = async (email: string): Promise<DemoMail[]> => {
  const answer = await fetch(`${sdk.url}/internal/mails`);
  assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store']);
  return ((await answer.json()) as DemoMail[]).filter(({ to }) => to === email).toReversed();
};
const codeOf = ({ link }: DemoMail): string => new URL(link, 'http://localhost').searchParams.get('oobCode') ?? '';
const lastMail = async (email: string): Promise<DemoMail> =>
  (await mailbox(email))[0] ?? assert.fail(`no mail to ${email}`);

describe('mails about accounts', () => {
  it('link to our own page, where each link confirms the address once', async () => {
    const email = newEmail();
    const { user } = await signUp(email);
    await sendEmailVerification(user, { url: 'http://localhost:8080/register?invitation=abc' });
    const [mail = assert.fail(), ...others] = await mailbox(email);
    assert.deepEqual(others, []);
    const { searchParams, pathname } = new URL(mail.link, 'http://localhost');
    assert.equal(pathname, '/auth/action');
    assert.deepEqual(
      [mail.mode, mail.to, searchParams.get('mode'), searchParams.get('continueUrl')],
      ['verifyEmail', email, 'verifyEmail', 'http://localhost:8080/register?invitation=abc'],
    );

    await applyActionCode(newClient(), codeOf(mail));
    assert.equal((await admin.getUser(user.uid)).emailVerified, true);
    assert.deepEqual(await mailbox(email), []);
    await assert.rejects(applyActionCode(newClient(), codeOf(mail)), { code: 'auth/invalid-action-code' });
  });

  it('reset a password, which confirms the address and invalidates other reset links', async () => {
    const email = newEmail();
    const { user } = await signUp(email);
    await sendPasswordResetEmail(newClient(), email);
    await sendPasswordResetEmail(newClient(), email);
    const [second = assert.fail(), first = assert.fail()] = await mailbox(email);
    assert.deepEqual([second.mode, first.mode], ['resetPassword', 'resetPassword']);
    assert.equal(await verifyPasswordResetCode(newClient(), codeOf(second)), email);
    await confirmPasswordReset(newClient(), codeOf(second), 'better words');
    assert.equal((await admin.getUser(user.uid)).emailVerified, true);
    await signIn(email, 'better words');
    await assert.rejects(signIn(email), { code: 'auth/invalid-credential' });
    for (const over of [first, second])
      await assert.rejects(confirmPasswordReset(newClient(), codeOf(over), 'other words'), {
        code: 'auth/invalid-action-code',
      });
    assert.deepEqual(await mailbox(email), []);
  });

  it('change an address only by a link to the new one, and revert it by a link to the old one', async () => {
    const [from, to] = [newEmail(), newEmail()];
    const { user } = await signUp(from);
    await assert.rejects(updateEmail(user, to), { code: 'auth/operation-not-allowed' });
    await verifyBeforeUpdateEmail(user, to);
    assert.deepEqual(await mailbox(from), []);
    const mail = await lastMail(to);
    assert.equal(mail.mode, 'verifyAndChangeEmail');
    const { operation, data } = await checkActionCode(newClient(), codeOf(mail));
    assert.deepEqual([operation, data.email, data.previousEmail], ['VERIFY_AND_CHANGE_EMAIL', to, from]);
    assert.equal((await admin.getUser(user.uid)).email, from);

    const began = Date.now();
    await applyActionCode(newClient(), codeOf(mail));
    const moved = await admin.getUser(user.uid);
    assert.deepEqual([moved.email, moved.emailVerified], [to, true]);
    // Earlier tokens are revoked.
    assert.ok(Date.parse(moved.tokensValidAfterTime ?? '') > began - 1_000);

    const notice = await lastMail(from);
    assert.equal(notice.mode, 'recoverEmail');
    const action = await checkActionCode(newClient(), codeOf(notice));
    assert.deepEqual([action.operation, action.data.email, action.data.previousEmail], ['RECOVER_EMAIL', from, to]);
    await applyActionCode(newClient(), codeOf(notice));
    const back = await admin.getUser(user.uid);
    assert.deepEqual([back.uid, back.email, back.emailVerified], [user.uid, from, true]);
    assert.ok(Date.parse(back.tokensValidAfterTime ?? '') >= Date.parse(moved.tokensValidAfterTime ?? ''));
    await signIn(from);
    await assert.rejects(signIn(to), { code: 'auth/invalid-credential' });
    // The new address gets no link to change it again.
    assert.deepEqual(await mailbox(to), []);
  });

  it('restore the previous address after a second change too', async () => {
    const [first, second, third] = [newEmail(), newEmail(), newEmail()];
    const { user } = await signUp(first);
    const move = async (from: string, to: string): Promise<void> => {
      const { user: now } = await signIn(from);
      await verifyBeforeUpdateEmail(now, to);
      await applyActionCode(newClient(), codeOf(await lastMail(to)));
    };
    await move(first, second);
    await move(second, third);
    await applyActionCode(newClient(), codeOf(await lastMail(second)));
    assert.equal((await admin.getUser(user.uid)).email, second);
  });

  it('can’t take over an address by linking a password', async () => {
    const victim = newEmail();
    const own = newEmail();
    const { user } = await sdk.signInWithGoogle('google-mails', own);
    await assert.rejects(linkWithCredential(user, EmailAuthProvider.credential(victim, password)), {
      code: 'auth/operation-not-allowed',
    });
    assert.equal((await admin.getUser(user.uid)).email, own);
    await signUp(victim);
  });

  it('reject short and common passwords wherever one is chosen, with Firebase’s own error', async () => {
    const email = newEmail();
    const weak =
      (message: RegExp) =>
      (error: unknown): boolean => {
        const { code, message: shown } = error as { code: string; message: string };
        return code === 'auth/weak-password' && message.test(shown);
      };
    await assert.rejects(createUserWithEmailAndPassword(newClient(), email, '12345'), weak(/at least 6 characters/));
    await assert.rejects(
      createUserWithEmailAndPassword(newClient(), email, 'Password'),
      weak(/This password is common/),
    );
    await assert.rejects(createUserWithEmailAndPassword(newClient(), email, email), weak(/isn’t your email address/));
    const { user } = await signUp(email);
    await assert.rejects(updatePassword(user, 'iloveyou'), weak(/This password is common/));
    await sendPasswordResetEmail(newClient(), email);
    const code = codeOf(await lastMail(email));
    await assert.rejects(confirmPasswordReset(newClient(), code, '123456'), weak(/This password is common/));
    await assert.rejects(confirmPasswordReset(newClient(), code, email), weak(/isn’t your email address/));
    // The link still works, and so does the old password until the link is used.
    await signIn(email);
    await confirmPasswordReset(newClient(), code, 'purple otter');
    await updatePassword((await signIn(email, 'purple otter')).user, 'lemon lake');
    await signIn(email, 'lemon lake');
  });

  it('end all sessions but the current one when a password is chosen', async () => {
    const email = newEmail();
    const { user: there } = await signUp(email);
    const { user: here } = await signIn(email);
    await nextSecond();
    await updatePassword(here, 'purple otter');
    const token = await here.getIdToken(true);
    assert.equal((await admin.verifyIdToken(token, true)).email, email);
    await assert.rejects(there.getIdToken(true), { code: 'auth/user-token-expired' });
  });

  it('let the administrator set any password, as demo accounts need', async () => {
    const email = newEmail();
    await admin.createUser({ email, password: 'password' });
    await signIn(email, 'password');
  });

  it('are limited to the last five of a kind per address, and deleted with their account', async () => {
    const email = newEmail();
    const { user } = await signUp(email);
    const codes: string[] = [];
    for (let at = 0; at < 7; at += 1) {
      await sendPasswordResetEmail(newClient(), email);
      codes.push(codeOf(await lastMail(email)));
    }
    await sendEmailVerification(user);
    assert.deepEqual((await mailbox(email)).map(codeOf).slice(1), codes.slice(2).toReversed());
    const to = newEmail();
    await verifyBeforeUpdateEmail(user, to);
    await deleteUser(user);
    assert.deepEqual([await mailbox(email), await mailbox(to)], [[], []]);
  });

  it('aren’t sent to an unknown address', async () => {
    await sendPasswordResetEmail(newClient(), 'nobody@mail.example');
    assert.deepEqual(await mailbox('nobody@mail.example'), []);
  });

  it('survive a restart, and expire as in a real project', async (t) => {
    const email = newEmail();
    await signUp(email);
    await sendPasswordResetEmail(newClient(), email);
    const mail = await lastMail(email);
    await sdk.restart();
    assert.deepEqual(await lastMail(email), mail);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_601_000 });
    assert.deepEqual(await mailbox(email), []);
    await assert.rejects(confirmPasswordReset(newClient(), codeOf(mail), 'purple otter'), {
      code: 'auth/invalid-action-code',
    });
  });
});
