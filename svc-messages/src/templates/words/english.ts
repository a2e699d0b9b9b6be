import { formatDate, formatTime } from '@clinic/contracts/clinic-time';
import { formatOrderTotal } from '@clinic/contracts/money';
import type { Words } from './words.ts';

const shortDay = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

export const english: Words = {
  sentence: (subject) => `${subject}.`,
  // 'Tue, Dec 1 at 10:00 AM'
  shortMoment: ({ date, time }) => `${shortDay.format(new Date(`${date}T00:00:00Z`))} at ${formatTime(time)}`,
  // 'Tue, Dec 1, 2026 at 10:00 AM'
  longMoment: ({ date, time }) => `${formatDate(date)} at ${formatTime(time)}`,
  count: String,
  amount: formatOrderTotal,
  footer: {
    alwaysSent: 'We always send emails like this one, because they concern your account.',
    stop: 'Stop emails like this one',
    preferences: 'Choose which emails you get',
  },
  appointments: {
    doctor: 'Doctor',
    when: 'When',
    whenByClinic: 'When, by the clinic’s clock',
    whenByReader: (zone) => `When, by your clock (${zone})`,
    where: 'Where',
    wasOn: 'It was on',
    bring: 'Please bring a photo ID and a list of the medicines you take, and come 10 minutes early.',
    notConfirmed: 'It isn’t confirmed yet. We’ll email you when it is.',
    move: 'Choose another time',
    cancel: 'Cancel this appointment',
    open: 'See your appointments',
    booked: (when) => `Your appointment on ${when} is booked`,
    confirmed: (when) => `Your appointment on ${when} is confirmed`,
    moved: (when) => `Your appointment is now on ${when}`,
    reminder: (when) => `Reminder: your appointment is on ${when}`,
    cancelled: (when) => `Your appointment on ${when} is cancelled`,
    movedFrom: (was) => `It was on ${was} before. Nobody expects you at that time any more.`,
    ifYouCannotCome: 'If you can’t come, please tell us. Someone else can then have the time.',
    afterCancelling: 'You don’t need to do anything. If you still want to see a doctor, you can book another time.',
    bookAnother: 'Book another time',
    offer: {
      subject: (when) => `A time is free for you: ${when}`,
      lead: (doctor) => `A time with ${doctor} is free, and it’s yours if you want it.`,
      until: 'We keep it for you until',
      otherwise: 'If you don’t take it by then, it goes to the next person. That costs you only this time.',
      open: 'See the offer',
    },
    calendarEntry: (doctor) => `Appointment with ${doctor}`,
  },
  orders: {
    order: 'Order',
    medicines: 'Medicines',
    total: 'Total',
    open: 'See your order',
    placed: (number) => `We have your order #${number}`,
    shipped: (number) => `Your order #${number} is on its way`,
    cancelled: (number) => `Your order #${number} is cancelled`,
    afterPlacing: 'We’ll email you when it’s on its way. You can cancel it until then.',
    afterShipping: 'Please make sure that someone can take it at the address you gave.',
    afterCancelling: 'It won’t be delivered. If you didn’t expect this, please call us.',
    back: {
      someMedicine: 'A medicine you asked about',
      subject: (medicine) => `${medicine} is back in stock`,
      orderSoon: 'We can’t keep it for you, so please order soon if you need it. We won’t email you about it again.',
      open: 'Go to the pharmacy',
    },
  },
  account: {
    role: (role) => role,
    device: (device) => device,
    invitation: {
      subject: (clinic) => `You’re invited to join ${clinic}`,
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
      why: (clinic) =>
        `Someone, most likely you, entered it at ${clinic}. Until you confirm it, we can’t show you everything that is kept under it.`,
      unexpected: 'If it wasn’t you, you can ignore this email.',
      confirm: 'Confirm this address',
    },
    password: {
      subject: 'Choose a new password',
      lead: (clinic) => `You asked to choose a new password for ${clinic}.`,
      account: 'Account',
      once: 'The link works once. We never ask for your password by email or on the phone.',
      unexpected: 'If you didn’t ask, you can ignore this email: your password stays as it is.',
      choose: 'Choose a new password',
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
    newRole: {
      subject: (clinic) => `Your role at ${clinic} has changed`,
      role: 'Your role is now',
      signInAgain: 'You may have to sign in again. If you didn’t expect this, please call us.',
      open: 'Go to your dashboard',
    },
  },
};
