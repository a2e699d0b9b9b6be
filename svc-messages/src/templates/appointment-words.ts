import type { OutboxData } from '@clinic/contracts/outbox/entries';
import type { Fact, MessageWords, Setting } from './message-words.ts';
import { longMoment, momentOf, readersMoment, shortMoment } from './times.ts';

type Visit = OutboxData<'appointment-booked'>['visit'];

const bring = 'Please bring a photo ID and a list of the medicines you take, and come 10 minutes early.';

function visitFacts({ doctor, date, time, place }: Visit, { clinic, to }: Setting): Fact[] {
  const theirs = readersMoment({ date, time }, clinic.zone, to.timeZone);
  return [
    { label: 'Doctor', value: doctor },
    { label: theirs ? 'When, by the clinic’s clock' : 'When', value: longMoment({ date, time }) },
    ...(theirs && to.timeZone
      ? [{ label: `When, by your clock (${to.timeZone.replaceAll('_', ' ')})`, value: longMoment(theirs) }]
      : []),
    { label: 'Where', value: place ? `${place}\n${clinic.address}` : clinic.address },
  ];
}

const changeLinks = ({ links }: Setting) => [
  ...(links.move === undefined ? [] : [{ label: 'Choose another time', url: links.move }]),
  ...(links.cancel === undefined ? [] : [{ label: 'Cancel this appointment', url: links.cancel }]),
];

const openAppointments = ({ clinic }: Setting) => ({
  label: 'See your appointments',
  url: `${clinic.url}/dash/appoinments`,
});

/** A visit that takes place: what to bring, and how to change it. */
const coming = (visit: Visit, setting: Setting, subject: string, sentences: readonly string[]): MessageWords => ({
  subject,
  lead: `${subject}.`,
  facts: visitFacts(visit, setting),
  paragraphs: [...sentences, bring],
  button: openAppointments(setting),
  links: changeLinks(setting),
});

const stillPending = ({ status }: Visit): string[] =>
  status === 'Pending' ? ['It isn’t confirmed yet. We’ll email you when it is.'] : [];

export function appointmentBooked({ visit }: OutboxData<'appointment-booked'>, setting: Setting): MessageWords {
  return coming(visit, setting, `Your appointment on ${shortMoment(visit)} is booked`, stillPending(visit));
}

export function appointmentConfirmed({ visit }: OutboxData<'appointment-confirmed'>, setting: Setting): MessageWords {
  return coming(visit, setting, `Your appointment on ${shortMoment(visit)} is confirmed`, []);
}

export function appointmentMoved({ visit, was }: OutboxData<'appointment-moved'>, setting: Setting): MessageWords {
  return coming(visit, setting, `Your appointment is now on ${shortMoment(visit)}`, [
    `It was on ${shortMoment(was)} before. Nobody expects you at that time any more.`,
    ...stillPending(visit),
  ]);
}

/** A reminder before a visit; see REMINDER_HOURS. */
export function appointmentReminder({ visit }: OutboxData<'appointment-booked'>, setting: Setting): MessageWords {
  return coming(visit, setting, `Reminder: your appointment is on ${shortMoment(visit)}`, [
    'If you can’t come, please tell us. Someone else can then have the time.',
  ]);
}

export function appointmentCancelled({ visit }: OutboxData<'appointment-cancelled'>, setting: Setting): MessageWords {
  const subject = `Your appointment on ${shortMoment(visit)} is cancelled`;
  return {
    subject,
    lead: `${subject}.`,
    facts: [
      { label: 'Doctor', value: visit.doctor },
      { label: 'It was on', value: longMoment(visit) },
    ],
    paragraphs: ['You don’t need to do anything. If you still want to see a doctor, you can book another time.'],
    button: { label: 'Book another time', url: `${setting.clinic.url}/ourDoctors` },
  };
}

export function waitlistOffer({ offer }: OutboxData<'waitlist-offer'>, setting: Setting): MessageWords {
  const subject = `A time is free for you: ${shortMoment(offer)}`;
  const until = momentOf(offer.until, setting.clinic.zone);
  return {
    subject,
    lead: `A time with ${offer.doctor} is free, and it’s yours if you want it.`,
    facts: [
      { label: 'Doctor', value: offer.doctor },
      { label: 'When', value: longMoment(offer) },
      { label: 'We keep it for you until', value: longMoment(until) },
    ],
    paragraphs: ['If you don’t take it by then, it goes to the next person. That costs you only this time.'],
    button: { label: 'See the offer', url: `${setting.clinic.url}/dash/waitlist` },
  };
}
