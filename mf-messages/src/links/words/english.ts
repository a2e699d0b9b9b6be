import { formatDate, formatTime } from '@clinic/app-kit';
import { failureTitle } from '@clinic/contracts/outcome';
import { labelOf } from '../../words.ts';
import type { LinkWords } from './words.ts';

export const english: LinkWords = {
  when: (date, time) => `${formatDate(date)} at ${formatTime(time)}`,
  kind: labelOf,
  loading: 'Loading...',
  stop: '.',
  retry: 'Try again',
  unchanged: (problem) => failureTitle(problem, 'Nothing has changed'),
  error: ({ message }) => message,
  dead: {
    not_found: () => ({
      title: 'This link doesn’t work',
      text: 'It may have expired. Check that you opened the whole link from the email.',
    }),
    too_late: ({ message }) => ({ title: 'This link has expired', text: message }),
    transition_refused: ({ message }) => ({ title: 'This link can’t be used any more', text: message }),
    failed: ({ message }) => ({ title: 'We couldn’t check your link', text: `${message} Your link may still work.` }),
  },
  visit: {
    title: 'Your appointment',
    cancel: {
      question: 'Cancel this appointment?',
      press: 'Cancel my appointment',
      done: 'Your appointment is cancelled',
      result: 'We’ve given the time back:',
    },
    move: {
      question: 'Move this appointment?',
      press: 'Move my appointment',
      done: 'Your appointment is moved',
      result: 'See you then:',
    },
    arrive: {
      question: 'Are you at the clinic?',
      press: 'I’m here',
      done: 'We know that you’re here',
      result: 'My appointments has your number and how many are before you:',
    },
    come: {
      question: 'Will you come to this appointment?',
      press: 'Yes, I’ll come',
      done: 'Thank you for telling us',
      result: 'We expect you:',
    },
    noFreeTimes: 'There are no free times at the moment. Your appointment stays as it is.',
    newTime: 'New time',
    choose: 'Choose a time',
    keep: 'Keep it as it is',
    mine: 'My appointments',
    bookAnother: 'Book another time',
    instead: (phone) => `Log in to see what is booked, or call ${phone}.`,
  },
  unsubscribe: {
    title: 'Your messages',
    question: 'Stop these messages?',
    willStop: 'We’ll stop emailing you:',
    stop: 'Stop these messages',
    done: 'You won’t get these messages any more',
    stopped: 'We’ve stopped:',
    again: 'You can switch it on again in your preferences.',
    preferences: 'All my preferences',
    instead: 'Log in to choose what we email you.',
    notifications: 'My notifications',
  },
};
