import type { FormerVisit, OutboxData } from '@clinic/contracts/outbox/entries';
import type { Fact, MessageWords, Setting } from './message-words.ts';
import { byClinic, momentOf, readersMoment, zoneInWords } from './times.ts';

type Visit = OutboxData<'appointment-booked'>['visit'];

function visitFacts(
  { doctor, date, time, place }: Pick<Visit, 'doctor' | 'date' | 'time' | 'place'>,
  { clinic, to, words }: Setting,
): Fact[] {
  const { appointments: texts, longMoment } = words;
  const theirs = readersMoment({ date, time }, clinic.zone, to.timeZone);
  return [
    { label: texts.doctor, value: doctor },
    { label: theirs ? texts.whenByClinic(zoneInWords(clinic.zone)) : texts.when, value: longMoment({ date, time }) },
    ...(theirs && to.timeZone
      ? [{ label: texts.whenByReader(zoneInWords(to.timeZone)), value: longMoment(theirs) }]
      : []),
    { label: texts.where, value: place ? `${place}\n${clinic.address}` : clinic.address },
  ];
}

/** Answers are about somebody's health: the page asks for a login. */
const questionsLink = ({ id }: Visit, { clinic, words: { appointments } }: Setting) => ({
  label: appointments.answer,
  url: `${clinic.url}/dash/questions/${id}`,
});

const changeLinks = ({ links, words: { appointments } }: Setting) => [
  ...(links.come === undefined ? [] : [{ label: appointments.come, url: links.come }]),
  ...(links.arrive === undefined ? [] : [{ label: appointments.arrive, url: links.arrive }]),
  ...(links.move === undefined ? [] : [{ label: appointments.move, url: links.move }]),
  ...(links.cancel === undefined ? [] : [{ label: appointments.cancel, url: links.cancel }]),
];

/** A message about an upcoming visit: what to bring, and how to change it. */
const coming = (visit: Visit, setting: Setting, subject: string, sentences: readonly string[]): MessageWords => {
  const { words, clinic } = setting;
  return {
    subject,
    lead: words.sentence(subject),
    facts: visitFacts(visit, setting),
    paragraphs: [
      ...sentences,
      ...(visit.code === undefined ? [] : [words.appointments.code(visit.code)]),
      words.appointments.bring,
    ],
    button: { label: words.appointments.open, url: `${clinic.url}/dash/patient` },
    links: [...(visit.questions ? [questionsLink(visit, setting)] : []), ...changeLinks(setting)],
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
  const when = shortMoment(visit);
  return coming(visit, setting, isAt(visit, was) ? appointments.changed(when) : appointments.moved(when), [
    ...changes(visit, was, setting),
    ...stillPending(visit, setting),
  ]);
}

const isAt = ({ date, time }: Visit, was: FormerVisit): boolean => was.date === date && was.time === time;

/** What differs from what the patient was promised. Services of earlier releases don't say all. */
function changes(visit: Visit, was: FormerVisit, setting: Setting): string[] {
  const { doctor, minutes, place = '' } = visit;
  const {
    clinic,
    words: { appointments, count, shortMoment },
  } = setting;
  return [
    ...(isAt(visit, was) ? [] : [appointments.movedFrom(byClinic(shortMoment(was), was, setting))]),
    ...(was.doctor === undefined || was.doctor === doctor ? [] : [appointments.wasWith(was.doctor)]),
    ...(was.minutes === undefined || minutes === undefined || was.minutes === minutes
      ? []
      : [appointments.lasts(count(minutes), count(was.minutes))]),
    ...(was.place === undefined || was.place === place ? [] : [appointments.wasAt(was.place || clinic.address)]),
  ];
}

/** A reminder before a visit; see REMINDER_HOURS. */
export function appointmentReminder({ visit }: OutboxData<'appointment-booked'>, setting: Setting): MessageWords {
  const { appointments, shortMoment } = setting.words;
  return coming(visit, setting, appointments.reminder(shortMoment(visit)), [
    ...(setting.links.come === undefined ? [] : [appointments.pleaseConfirm]),
    appointments.ifYouCannotCome,
  ]);
}

/** Two days before a visit: its questions, if they aren't answered. */
export function appointmentQuestions({ visit }: OutboxData<'appointment-booked'>, setting: Setting): MessageWords {
  const { appointments: texts, shortMoment } = setting.words;
  return {
    subject: texts.questions.subject(shortMoment(visit)),
    lead: texts.questions.lead(visit.doctor),
    facts: visitFacts(visit, setting),
    paragraphs: [texts.questions.why],
    button: questionsLink(visit, setting),
    links: changeLinks(setting),
  };
}

/** @param was - what the patient was told before: also of that time nobody must come */
export function appointmentCancelled(
  { visit, was }: OutboxData<'appointment-cancelled'> & { readonly was?: FormerVisit },
  setting: Setting,
): MessageWords {
  const { clinic, words } = setting;
  const { appointments: texts, shortMoment, longMoment } = words;
  const subject = texts.cancelled(shortMoment(visit));
  return {
    subject,
    lead: words.sentence(subject),
    facts: [
      { label: texts.doctor, value: visit.doctor },
      { label: texts.wasOn, value: byClinic(longMoment(visit), visit, setting) },
    ],
    paragraphs: [
      ...(was ? changes(visit, { doctor: was.doctor, date: was.date, time: was.time }, setting) : []),
      texts.afterCancelling,
    ],
    button: { label: texts.bookAnother, url: `${clinic.url}/ourDoctors` },
  };
}

export function waitlistOffer({ offer }: OutboxData<'waitlist-offer'>, setting: Setting): MessageWords {
  const { clinic, words } = setting;
  const { appointments: texts, shortMoment, longMoment } = words;
  const until = momentOf(offer.until, clinic.zone);
  return {
    subject: texts.offer.subject(shortMoment(offer)),
    lead: texts.offer.lead(offer.doctor),
    facts: [
      ...visitFacts(offer, setting),
      ...(offer.moves
        ? [{ label: texts.offer.moves, value: byClinic(longMoment(offer.moves), offer.moves, setting) }]
        : []),
      { label: texts.offer.until, value: byClinic(longMoment(until), until, setting) },
    ],
    paragraphs: [offer.last ? texts.offer.otherwiseLast : texts.offer.otherwise],
    button: { label: texts.offer.open, url: `${clinic.url}/dash/waitlist` },
  };
}

export function waitlistEnded({ place }: OutboxData<'waitlist-ended'>, { clinic, words }: Setting): MessageWords {
  const { ended, bookAnother } = words.appointments;
  return {
    subject: ended.subject,
    lead: ended.lead(place.whom, place.offers),
    facts: [],
    paragraphs: [ended.again],
    button: { label: bookAnother, url: `${clinic.url}/ourDoctors` },
  };
}
