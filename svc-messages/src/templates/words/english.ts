import { formatDate, formatTime, type ClinicMoment } from '@clinic/contracts/clinic-time';
import { formatOrderTotal } from '@clinic/contracts/money';

const shortDay = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

export const english = {
  /** Turns a subject into the message's first sentence. */
  sentence: (subject: string) => `${subject}.`,
  /** 'Tue, Dec 1 at 10:00 AM': day and time without the year, for subjects. */
  shortMoment: ({ date, time }: ClinicMoment) =>
    `${shortDay.format(new Date(`${date}T00:00:00Z`))} at ${formatTime(time)}`,
  /** 'Tue, Dec 1, 2026 at 10:00 AM' */
  longMoment: ({ date, time }: ClinicMoment) => `${formatDate(date)} at ${formatTime(time)}`,
  count: (number: number) => String(number),
  /** @param minor - minor units. @param sign - of the currency */
  amount: formatOrderTotal,
  footer: {
    /** Instead of `stop`, in messages that people can't switch off. */
    alwaysSent: 'We always send emails like this one, because they concern your account.',
    stop: 'Stop emails like this one',
    preferences: 'Choose which emails you get',
  },
  /** Parameters that are moments have the form of `shortMoment`. */
  appointments: {
    // Names of details.
    doctor: 'Doctor',
    when: 'When',
    /** @param zone - the clinic's, such as `Asia/Dhaka` */
    whenByClinic: (zone: string) => `When, by the clinic’s clock (${zone})`,
    /** @param zone - the reader's, such as `America/New York` */
    whenByReader: (zone: string) => `When, by your clock (${zone})`,
    where: 'Where',
    wasOn: 'It was on',
    bring: 'Please bring a photo ID and a list of the medicines you take, and come 10 minutes early.',
    notConfirmed: 'It isn’t confirmed yet. We’ll email you when it is.',
    code: (code: string) => `On the day, say this code at the desk: ${code}.`,
    come: 'Yes, I’ll come',
    pleaseConfirm:
      'Please tell us with the link below that you’ll come. Until then, our reception sees that you haven’t.',
    arrive: 'On the day, tell us that you’re here',
    move: 'Choose another time',
    cancel: 'Cancel this appointment',
    open: 'See your appointments',
    // Subjects.
    booked: (when: string) => `Your appointment on ${when} is booked`,
    confirmed: (when: string) => `Your appointment on ${when} is confirmed`,
    moved: (when: string) => `Your appointment is now on ${when}`,
    reminder: (when: string) => `Reminder: your appointment is on ${when}`,
    cancelled: (when: string) => `Your appointment on ${when} is cancelled`,
    movedFrom: (was: string) => `It was on ${was} before. Nobody expects you at that time any more.`,
    changed: (when: string) => `Your appointment on ${when} has changed`,
    wasWith: (doctor: string) => `It was with ${doctor} before.`,
    lasts: (minutes: string, was: string) => `It now lasts ${minutes} minutes instead of ${was}.`,
    wasAt: (place: string) => `It was at ${place} before.`,
    answer: 'Answer the doctor’s questions',
    questions: {
      subject: (when: string) => `A few questions before your appointment on ${when}`,
      lead: (doctor: string) => `${doctor} would like to know a few things before you come.`,
      why: 'It takes a few minutes and leaves more time for you at the appointment. You don’t have to answer. Only you, the doctor and the clinic’s admins can read your answers.',
    },
    ifYouCannotCome: 'If you can’t come, please tell us. Someone else can then have the time.',
    afterCancelling: 'You don’t need to do anything. If you still want to see a doctor, you can book another time.',
    bookAnother: 'Book another time',
    offer: {
      subject: (when: string) => `A time is free for you: ${when}`,
      lead: (doctor: string) => `A time with ${doctor} is free, and it’s yours if you want it.`,
      moves: 'Instead of your appointment on',
      until: 'We keep it for you until',
      otherwise: 'If you don’t take it by then, it goes to the next person. That costs you only this time.',
      otherwiseLast:
        'If you don’t take it by then, it goes to the next person, and your place on the waitlist ends: it’s the last time we can offer you.',
      open: 'See the offer',
    },
    ended: {
      subject: 'Your place on the waitlist has ended',
      lead: (whom: string, offers: number) =>
        `We offered you a time ${offers === 1 ? 'once' : `${offers} times`} (${whom}), and you didn’t take one, so your place on the waitlist has ended.`,
      again: 'If you still want an appointment, book a free time, or join the waitlist again.',
    },
    /** In the reader's calendar. */
    calendarEntry: (doctor: string) => `Appointment with ${doctor}`,
  },
  /** Orders are given by their number, without `#`. */
  orders: {
    // Names of details.
    order: 'Order',
    medicines: 'Medicines',
    recipient: 'For',
    total: 'Total',
    open: 'See your order',
    // Subjects.
    placed: (number: string) => `We have your order #${number}`,
    shipped: (number: string) => `Your order #${number} is on its way`,
    cancelled: (number: string) => `Your order #${number} is cancelled`,
    packed: (number: string) => `Your order #${number} is ready`,
    atCounter: 'You collect it at our pharmacy counter.',
    afterPlacing: 'We’ll email you when it’s on its way. You can cancel it until then.',
    afterShipping: 'Please make sure that someone can take it at the address you gave.',
    afterCancelling: 'It won’t be delivered. If you didn’t expect this, please call us.',
    back: {
      /** Replaces a medicine's name where that would reveal too much. */
      someMedicine: 'A medicine you asked about',
      subject: (medicine: string) => `${medicine} is back in stock`,
      orderSoon: 'We can’t keep it for you, so please order soon if you need it. We won’t email you about it again.',
      bringPrescription:
        'It needs a prescription: bring it to our pharmacy counter. We can’t keep it for you, and we won’t email you about it again.',
      open: 'Go to the pharmacy',
    },
  },
  account: {
    /** @param role - may be one that this release doesn't know */
    role: (role: string) => role,
    /** @param device - in English, as svc-identity names it: `Chrome on Android`, `Unknown browser` */
    device: (device: string) => device,
    invitation: {
      subject: (clinic: string) => `You’re invited to join ${clinic}`,
      role: 'Your role',
      until: 'The invitation is open until',
      accept: 'Sign in with this email address, or create an account with it, to accept.',
      unexpected: 'Didn’t expect this? You can ignore this email. Please don’t forward it.',
      open: 'See the invitation',
    },
    address: {
      subject: 'Confirm your email address',
      lead: 'Please confirm that this is your email address.',
      email: 'Email',
      why: (clinic: string) =>
        `Someone, most likely you, entered it at ${clinic}. Until you confirm it, we can’t show you everything that is kept under it.`,
      unexpected: 'If it wasn’t you, you can ignore this email.',
      confirm: 'Confirm this address',
    },
    password: {
      subject: 'Choose a new password',
      lead: (clinic: string) => `You asked to choose a new password for ${clinic}.`,
      account: 'Account',
      once: 'The link works once. We never ask for your password by email or on the phone.',
      unexpected: 'If you didn’t ask, you can ignore this email: your password stays as it is.',
      choose: 'Choose a new password',
    },
    changed: {
      subject: 'Your email address was changed',
      lead: (clinic: string) => `Your account at ${clinic} has another email address now.`,
      former: 'Your address until now',
      ifYou: 'If it was you, you don’t need to do anything.',
      ifNotYou: 'If it wasn’t you, change it back and choose a new password now.',
      undo: 'Change it back',
    },
    newDevice: {
      subject: 'Your account was used on a new device',
      lead: 'Someone signed in to your account on a device we haven’t seen before.',
      device: 'Device',
      when: 'When',
      ifYou: 'If it was you, you don’t need to do anything.',
      ifNotYou: 'If it wasn’t you, sign out everywhere and choose a new password now.',
      open: 'See where you’re signed in',
    },
    /** @param right - may be one that this release doesn't know */
    right: (right: string) => right,
    newRole: {
      subject: (clinic: string) => `Your role at ${clinic} has changed`,
      subjectOfRights: (clinic: string) => `What you may do at ${clinic} has changed`,
      role: 'Your role is now',
      rights: 'Beside it, you may do',
      noRights: 'nothing more',
      signInAgain: 'You may have to sign in again. If you didn’t expect this, please call us.',
      open: 'Go to your dashboard',
    },
  },
};

/** The words of messages in one language. Names of people, medicines and places stay as typed. */
export type Words = typeof english;
