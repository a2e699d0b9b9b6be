import type { OutboxData } from '@clinic/contracts/outbox/entries';
import type { MessageWords, Setting } from './message-words.ts';
import { byClinic, momentOf } from './times.ts';

export function staffInvitation({ link, role, until }: OutboxData<'staff-invitation'>, setting: Setting): MessageWords {
  const { clinic, words } = setting;
  const end = momentOf(until, clinic.zone);
  const texts = words.account.invitation;
  const subject = texts.subject(clinic.name);
  return {
    subject,
    lead: words.sentence(subject),
    facts: [
      { label: texts.role, value: words.account.role(role) },
      { label: texts.until, value: byClinic(words.longMoment(end), end, setting) },
    ],
    paragraphs: [texts.accept, texts.unexpected],
    button: { label: texts.open, url: `${clinic.url}${link}` },
  };
}

export function confirmAddress({ link }: OutboxData<'confirm-address'>, { clinic, to, words }: Setting): MessageWords {
  const texts = words.account.address;
  return {
    subject: texts.subject,
    lead: texts.lead,
    facts: [{ label: texts.email, value: to.email }],
    paragraphs: [texts.why(clinic.name), texts.unexpected],
    button: { label: texts.confirm, url: `${clinic.url}${link}` },
  };
}

export function passwordReset({ link }: OutboxData<'password-reset'>, { clinic, to, words }: Setting): MessageWords {
  const texts = words.account.password;
  return {
    subject: texts.subject,
    lead: texts.lead(clinic.name),
    facts: [{ label: texts.account, value: to.email }],
    paragraphs: [texts.once, texts.unexpected],
    button: { label: texts.choose, url: `${clinic.url}${link}` },
  };
}

export function addressChanged({ link }: OutboxData<'address-changed'>, { clinic, to, words }: Setting): MessageWords {
  const texts = words.account.changed;
  return {
    subject: texts.subject,
    lead: texts.lead(clinic.name),
    facts: [{ label: texts.former, value: to.email }],
    paragraphs: [texts.ifYou, texts.ifNotYou],
    button: { label: texts.undo, url: `${clinic.url}${link}` },
  };
}

export function newDevice({ device, at }: OutboxData<'new-device'>, setting: Setting): MessageWords {
  const { clinic, words } = setting;
  const when = momentOf(at, clinic.zone);
  const texts = words.account.newDevice;
  return {
    subject: texts.subject,
    lead: texts.lead,
    facts: [
      { label: texts.device, value: words.account.device(device) },
      { label: texts.when, value: byClinic(words.longMoment(when), when, setting) },
    ],
    paragraphs: [texts.ifYou, texts.ifNotYou],
    button: { label: texts.open, url: `${clinic.url}/dash/account` },
  };
}

export function roleChanged({ role, rights }: OutboxData<'role-changed'>, { clinic, words }: Setting): MessageWords {
  const texts = words.account.newRole;
  const subject = rights ? texts.subjectOfRights(clinic.name) : texts.subject(clinic.name);
  const beside = rights?.map(words.account.right).join(', ') || texts.noRights;
  return {
    subject,
    lead: words.sentence(subject),
    facts: [
      { label: texts.role, value: words.account.role(role) },
      ...(rights ? [{ label: texts.rights, value: beside }] : []),
    ],
    paragraphs: [texts.signInAgain],
    button: { label: texts.open, url: `${clinic.url}/dash` },
  };
}
