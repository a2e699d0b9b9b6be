import type { OutboxData } from '@clinic/contracts/outbox/entries';
import type { MessageWords, Setting } from './message-words.ts';
import { momentOf } from './times.ts';

export function staffInvitation(
  { link, role, until }: OutboxData<'staff-invitation'>,
  { clinic, words }: Setting,
): MessageWords {
  const said = words.account.invitation;
  const subject = said.subject(clinic.name);
  return {
    subject,
    lead: words.sentence(subject),
    facts: [
      { label: said.role, value: words.account.role(role) },
      { label: said.until, value: words.longMoment(momentOf(until, clinic.zone)) },
    ],
    paragraphs: [said.accept, said.unexpected],
    button: { label: said.open, url: `${clinic.url}${link}` },
  };
}

export function confirmAddress({ link }: OutboxData<'confirm-address'>, { clinic, to, words }: Setting): MessageWords {
  const said = words.account.address;
  return {
    subject: said.subject,
    lead: said.lead,
    facts: [{ label: said.email, value: to.email }],
    paragraphs: [said.why(clinic.name), said.unexpected],
    button: { label: said.confirm, url: `${clinic.url}${link}` },
  };
}

export function passwordReset({ link }: OutboxData<'password-reset'>, { clinic, to, words }: Setting): MessageWords {
  const said = words.account.password;
  return {
    subject: said.subject,
    lead: said.lead(clinic.name),
    facts: [{ label: said.account, value: to.email }],
    paragraphs: [said.once, said.unexpected],
    button: { label: said.choose, url: `${clinic.url}${link}` },
  };
}

export function newDevice({ device, at }: OutboxData<'new-device'>, { clinic, words }: Setting): MessageWords {
  const said = words.account.newDevice;
  return {
    subject: said.subject,
    lead: said.lead,
    facts: [
      { label: said.device, value: words.account.device(device) },
      { label: said.when, value: words.longMoment(momentOf(at, clinic.zone)) },
    ],
    paragraphs: [said.ifYou, said.ifNotYou],
    button: { label: said.open, url: `${clinic.url}/dash/account` },
  };
}

export function roleChanged({ role }: OutboxData<'role-changed'>, { clinic, words }: Setting): MessageWords {
  const said = words.account.newRole;
  const subject = said.subject(clinic.name);
  return {
    subject,
    lead: words.sentence(subject),
    facts: [{ label: said.role, value: words.account.role(role) }],
    paragraphs: [said.signInAgain],
    button: { label: said.open, url: `${clinic.url}/dash` },
  };
}
