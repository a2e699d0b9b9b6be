import { isUnknown } from '@clinic/contracts/outcome';
import { longMoment } from '@clinic/svc-messages/contract/bangla-times';
import { isKind, labelOf } from '../../words.ts';
import type { KindNames, LinkWords } from './words.ts';

const kinds: KindNames = {
  'appointment-booked': 'অ্যাপয়েন্টমেন্ট বুক হয়েছে',
  'appointment-confirmed': 'অ্যাপয়েন্টমেন্ট নিশ্চিত হয়েছে',
  'appointment-moved': 'অ্যাপয়েন্টমেন্টের সময় বদলেছে',
  'appointment-cancelled': 'অ্যাপয়েন্টমেন্ট বাতিল হয়েছে',
  'appointment-reminder': 'অ্যাপয়েন্টমেন্টের রিমাইন্ডার',
  'appointment-questions': 'অ্যাপয়েন্টমেন্টের আগের প্রশ্ন',
  'waitlist-offer': 'অপেক্ষমাণ তালিকা থেকে খালি সময়',
  'waitlist-ended': 'অপেক্ষমাণ তালিকায় জায়গা শেষ',
  'order-placed': 'অর্ডার পেয়েছি',
  'order-shipped': 'অর্ডার পাঠানো হয়েছে',
  'order-cancelled': 'অর্ডার বাতিল হয়েছে',
  'back-in-stock': 'ওষুধ আবার পাওয়া যাচ্ছে',
  'staff-invitation': 'কাজে যোগ দেওয়ার আমন্ত্রণ',
  'confirm-address': 'ইমেইল ঠিকানা নিশ্চিত করা',
  'password-reset': 'নতুন পাসওয়ার্ড',
  'address-changed': 'ইমেইল ঠিকানা বদলেছে',
  'new-device': 'নতুন ডিভাইসে লগ ইন',
  'role-changed': 'আপনার ভূমিকা বদলেছে',
};

/** The service's own sentences are English. */
const errors: Readonly<Record<string, string>> = {
  validation_failed: 'এটি শুধু অ্যাপয়েন্টমেন্টের দিনে করা যাবে।',
  slot_taken: 'এই সময়টি এইমাত্র অন্য কেউ নিয়েছেন। অনুগ্রহ করে অন্য একটি সময় বেছে নিন।',
  rate_limited: 'অনেকবার চেষ্টা করা হয়েছে। একটু পরে আবার চেষ্টা করুন।',
};
const otherError = 'আমাদের দিকে একটি সমস্যা হয়েছে। একটু পরে আবার চেষ্টা করুন।';

export const bangla: LinkWords = {
  when: (date, time) => longMoment({ date, time }),
  kind: (kind) => (isKind(kind) ? kinds[kind] : labelOf(kind)),
  loading: 'লোড হচ্ছে...',
  stop: '।',
  retry: 'আবার চেষ্টা করুন',
  unchanged: (problem) => (isUnknown(problem) ? 'আমরা নিশ্চিত হতে পারিনি' : 'কিছুই বদলায়নি'),
  error: ({ code }) => errors[code] ?? otherError,
  dead: {
    not_found: () => ({
      title: 'লিংকটি কাজ করছে না',
      text: 'হয়তো এর মেয়াদ শেষ হয়ে গেছে। ইমেইলের পুরো লিংকটি খুলেছেন কি না, দেখে নিন।',
    }),
    too_late: () => ({
      title: 'লিংকটির মেয়াদ শেষ',
      text: 'এখান থেকে এই অ্যাপয়েন্টমেন্ট আর বদলানো যাবে না। অনুগ্রহ করে ক্লিনিকে ফোন করুন।',
    }),
    transition_refused: () => ({
      title: 'লিংকটি আর ব্যবহার করা যাবে না',
      text: 'লিংকটি আগেই ব্যবহার করা হয়েছে, অথবা অ্যাপয়েন্টমেন্টটি এর মধ্যে বদলেছে বা বাতিল হয়েছে।',
    }),
    failed: ({ code }) => ({
      title: 'লিংকটি যাচাই করা গেল না',
      text: `${errors[code] ?? otherError} লিংকটি এখনো কাজ করতে পারে।`,
    }),
  },
  visit: {
    title: 'আপনার অ্যাপয়েন্টমেন্ট',
    cancel: {
      question: 'অ্যাপয়েন্টমেন্টটি বাতিল করতে চান?',
      press: 'অ্যাপয়েন্টমেন্ট বাতিল করুন',
      done: 'আপনার অ্যাপয়েন্টমেন্ট বাতিল হয়েছে',
      result: 'এই সময়টি এখন অন্য কেউ নিতে পারবেন:',
    },
    move: {
      question: 'অ্যাপয়েন্টমেন্টের সময় বদলাতে চান?',
      press: 'সময় বদলান',
      done: 'আপনার অ্যাপয়েন্টমেন্টের সময় বদলানো হয়েছে',
      result: 'নতুন সময়ে দেখা হবে:',
    },
    arrive: {
      question: 'আপনি কি ক্লিনিকে এসে পৌঁছেছেন?',
      press: 'আমি এসেছি',
      done: 'আপনি এসেছেন, আমরা জেনেছি',
      result: 'আপনার নম্বর ও আগে কতজন আছেন, তা আমার অ্যাপয়েন্টমেন্টে দেখুন:',
    },
    come: {
      question: 'আপনি কি এই অ্যাপয়েন্টমেন্টে আসবেন?',
      press: 'হ্যাঁ, আমি আসব',
      done: 'জানানোর জন্য ধন্যবাদ',
      result: 'আমরা আপনার অপেক্ষায় থাকব:',
    },
    noFreeTimes: 'এই মুহূর্তে কোনো সময় খালি নেই। আপনার অ্যাপয়েন্টমেন্ট আগের মতোই থাকবে।',
    newTime: 'নতুন সময়',
    choose: 'একটি সময় বেছে নিন',
    keep: 'যেমন আছে তেমনই রাখুন',
    mine: 'আমার অ্যাপয়েন্টমেন্ট',
    bookAnother: 'অন্য সময় বুক করুন',
    instead: (phone) => `কী কী বুক করা আছে তা দেখতে লগ ইন করুন, অথবা ${phone} নম্বরে ফোন করুন।`,
  },
  unsubscribe: {
    title: 'আপনার ইমেইল',
    question: 'এ ধরনের ইমেইল বন্ধ করতে চান?',
    willStop: 'এই ইমেইল আর পাঠানো হবে না:',
    stop: 'এ ধরনের ইমেইল বন্ধ করুন',
    done: 'এ ধরনের ইমেইল আর পাবেন না',
    stopped: 'বন্ধ করা হয়েছে:',
    again: 'চাইলে পরে আবার চালু করতে পারবেন।',
    preferences: 'কোন কোন ইমেইল পাবেন, তা বেছে নিন',
    instead: 'কোন কোন ইমেইল পাবেন, তা বেছে নিতে লগ ইন করুন।',
    notifications: 'আমার নোটিফিকেশন',
  },
};
