import type { OutboxData } from '@clinic/contracts/outbox/entries';
import type { MessageWords, Setting } from './message-words.ts';
import { longMoment, momentOf } from './times.ts';

export function staffInvitation(
  { link, role, until }: OutboxData<'staff-invitation'>,
  { clinic }: Setting,
): MessageWords {
  const subject = `You’re invited to join ${clinic.name}`;
  return {
    subject,
    lead: `${subject}.`,
    facts: [
      { label: 'Your role', value: role },
      { label: 'The invitation is open until', value: longMoment(momentOf(until, clinic.zone)) },
    ],
    paragraphs: [
      'Sign in with this email address, or create an account with it, to accept.',
      'Didn’t expect this? You can ignore this email. Please don’t forward it.',
    ],
    button: { label: 'See the invitation', url: `${clinic.url}${link}` },
  };
}

export function confirmAddress({ link }: OutboxData<'confirm-address'>, { clinic, to }: Setting): MessageWords {
  return {
    subject: 'Confirm your email address',
    lead: 'Please confirm that this is your email address.',
    facts: [{ label: 'Email', value: to.email }],
    paragraphs: [
      `Someone, most likely you, entered it at ${clinic.name}. Until you confirm it, we can’t show you everything that is kept under it.`,
      'If it wasn’t you, you can ignore this email.',
    ],
    button: { label: 'Confirm this address', url: `${clinic.url}${link}` },
  };
}

export function passwordReset({ link }: OutboxData<'password-reset'>, { clinic, to }: Setting): MessageWords {
  return {
    subject: 'Choose a new password',
    lead: `You asked to choose a new password for ${clinic.name}.`,
    facts: [{ label: 'Account', value: to.email }],
    paragraphs: [
      'The link works once. We never ask for your password by email or on the phone.',
      'If you didn’t ask, you can ignore this email: your password stays as it is.',
    ],
    button: { label: 'Choose a new password', url: `${clinic.url}${link}` },
  };
}

export function newDevice({ device, at }: OutboxData<'new-device'>, { clinic }: Setting): MessageWords {
  return {
    subject: 'Your account was used on a new device',
    lead: 'Someone signed in to your account on a device we haven’t seen before.',
    facts: [
      { label: 'Device', value: device },
      { label: 'When', value: longMoment(momentOf(at, clinic.zone)) },
    ],
    paragraphs: [
      'If it was you, you don’t need to do anything.',
      'If it wasn’t you, sign out everywhere and choose a new password now.',
    ],
    button: { label: 'See where you’re signed in', url: `${clinic.url}/dash/account` },
  };
}

export function roleChanged({ role }: OutboxData<'role-changed'>, { clinic }: Setting): MessageWords {
  return {
    subject: `Your role at ${clinic.name} has changed`,
    lead: `Your role at ${clinic.name} has changed.`,
    facts: [{ label: 'Your role is now', value: role }],
    paragraphs: ['You may have to sign in again. If you didn’t expect this, please call us.'],
    button: { label: 'Go to your dashboard', url: `${clinic.url}/dash` },
  };
}
