import type { OutboxData } from '@clinic/contracts/outbox/entries';
import type { Fact, MessageWords, Setting } from './message-words.ts';
import { momentOf, readersMoment } from './times.ts';

type Visit = OutboxData<'appointment-booked'>['visit'];

function visitFacts({ doctor, date, time, place }: Visit, { clinic, to, words }: Setting): Fact[] {
  const { appointments: said, longMoment } = words;
  const theirs = readersMoment({ date, time }, clinic.zone, to.timeZone);
  return [
    { label: said.doctor, value: doctor },
    { label: theirs ? said.whenByClinic : said.when, value: longMoment({ date, time }) },
    ...(theirs && to.timeZone
      ? [{ label: said.whenByReader(to.timeZone.replaceAll('_', ' ')), value: longMoment(theirs) }]
      : []),
    { label: said.where, value: place ? `${place}\n${clinic.address}` : clinic.address },
  ];
}

const changeLinks = ({ links, words: { appointments } }: Setting) => [
  ...(links.move === undefined ? [] : [{ label: appointments.move, url: links.move }]),
  ...(links.cancel === undefined ? [] : [{ label: appointments.cancel, url: links.cancel }]),
];

/** A visit that takes place: what to bring, and how to change it. */
const coming = (visit: Visit, setting: Setting, subject: string, sentences: readonly string[]): MessageWords => {
  const { words, clinic } = setting;
  return {
    subject,
    lead: words.sentence(subject),
    facts: visitFacts(visit, setting),
    paragraphs: [...sentences, words.appointments.bring],
    button: { label: words.appointments.open, url: `${clinic.url}/dash/appoinments` },
    links: changeLinks(setting),
  };
};

const stillPending = ({ status }: Visit, { words }: Setting): string[] =>
  status === 'Pending' ? [words.appointments.notConfirmed] : [];

export function appointmentBooked({ visit }: OutboxData<'appointment-booked'>, setting: Setting): MessageWords {
  const { appointments, shortMoment } = setting.words;
  return coming(visit, setting, appointments.booked(shortMoment(visit)), stillPending(visit, setting));
}

export function appointmentConfirmed({ visit }: OutboxData<'appointment-confirmed'>, setting: Setting): MessageWords {
  const { appointments, shortMoment } = setting.words;
  return coming(visit, setting, appointments.confirmed(shortMoment(visit)), []);
}

export function appointmentMoved({ visit, was }: OutboxData<'appointment-moved'>, setting: Setting): MessageWords {
  const { appointments, shortMoment } = setting.words;
  return coming(visit, setting, appointments.moved(shortMoment(visit)), [
    appointments.movedFrom(shortMoment(was)),
    ...stillPending(visit, setting),
  ]);
}

/** A reminder before a visit; see REMINDER_HOURS. */
export function appointmentReminder({ visit }: OutboxData<'appointment-booked'>, setting: Setting): MessageWords {
  const { appointments, shortMoment } = setting.words;
  return coming(visit, setting, appointments.reminder(shortMoment(visit)), [appointments.ifYouCannotCome]);
}

export function appointmentCancelled(
  { visit }: OutboxData<'appointment-cancelled'>,
  { clinic, words }: Setting,
): MessageWords {
  const { appointments: said, shortMoment, longMoment } = words;
  const subject = said.cancelled(shortMoment(visit));
  return {
    subject,
    lead: words.sentence(subject),
    facts: [
      { label: said.doctor, value: visit.doctor },
      { label: said.wasOn, value: longMoment(visit) },
    ],
    paragraphs: [said.afterCancelling],
    button: { label: said.bookAnother, url: `${clinic.url}/ourDoctors` },
  };
}

export function waitlistOffer({ offer }: OutboxData<'waitlist-offer'>, { clinic, words }: Setting): MessageWords {
  const { appointments: said, shortMoment, longMoment } = words;
  const until = momentOf(offer.until, clinic.zone);
  return {
    subject: said.offer.subject(shortMoment(offer)),
    lead: said.offer.lead(offer.doctor),
    facts: [
      { label: said.doctor, value: offer.doctor },
      { label: said.when, value: longMoment(offer) },
      { label: said.offer.until, value: longMoment(until) },
    ],
    paragraphs: [said.offer.otherwise],
    button: { label: said.offer.open, url: `${clinic.url}/dash/waitlist` },
  };
}
