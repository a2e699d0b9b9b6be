import { toMajor } from '@clinic/contracts/money';
import type { Right, Role } from '@clinic/contracts';
import { locale, longMoment, shortMoment } from '../../contract/bangla-times.ts';
import type { Words } from './english.ts';

const numbers = new Intl.NumberFormat(locale);
const amounts = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const roles: Readonly<Record<Role, string>> = {
  admin: 'অ্যাডমিন',
  doctor: 'ডাক্তার',
  patient: 'রোগী',
  pharmacist: 'ফার্মাসিস্ট',
};

const rights: Readonly<Record<Right, string>> = {
  reception: 'অভ্যর্থনা',
  stock: 'ওষুধের মজুদ',
};

function deviceName(device: string): string {
  const [browser = '', system] = device.replace('Unknown browser', 'অজানা ব্রাউজার').split(' on ');
  return system === undefined ? browser : `${browser} (${system})`;
}

export const bangla: Words = {
  sentence: (subject) => `${subject}।`,
  shortMoment,
  longMoment,
  count: (number) => numbers.format(number),
  amount: (minor, sign) => sign + amounts.format(toMajor(minor)),
  footer: {
    alwaysSent: 'এ ধরনের ইমেইল আমরা সব সময় পাঠাই, কারণ এগুলো আপনার অ্যাকাউন্টের বিষয়ে।',
    stop: 'এ ধরনের ইমেইল বন্ধ করুন',
    preferences: 'কোন কোন ইমেইল পাবেন, তা বেছে নিন',
  },
  appointments: {
    doctor: 'ডাক্তার',
    when: 'সময়',
    whenByClinic: (zone) => `সময় (ক্লিনিকের ঘড়িতে, ${zone})`,
    whenByReader: (zone) => `সময় (আপনার ঘড়িতে, ${zone})`,
    where: 'স্থান',
    wasOn: 'সময় ছিল',
    bring: 'অনুগ্রহ করে ছবিসহ পরিচয়পত্র এবং আপনি যেসব ওষুধ খান তার তালিকা সঙ্গে আনুন। নির্ধারিত সময়ের ১০ মিনিট আগে আসুন।',
    notConfirmed: 'এটি এখনো নিশ্চিত হয়নি। নিশ্চিত হলে আমরা আপনাকে ইমেইল করব।',
    code: (code) => `নির্ধারিত দিনে ডেস্কে এই কোডটি বলুন: ${code}`,
    arrive: 'নির্ধারিত দিনে ক্লিনিকে এসে আমাদের জানান',
    move: 'অন্য সময় বেছে নিন',
    cancel: 'এই অ্যাপয়েন্টমেন্ট বাতিল করুন',
    open: 'আপনার অ্যাপয়েন্টমেন্ট দেখুন',
    booked: (when) => `আপনার অ্যাপয়েন্টমেন্ট বুক হয়েছে: ${when}`,
    confirmed: (when) => `আপনার অ্যাপয়েন্টমেন্ট নিশ্চিত হয়েছে: ${when}`,
    moved: (when) => `আপনার অ্যাপয়েন্টমেন্টের নতুন সময়: ${when}`,
    reminder: (when) => `রিমাইন্ডার: আপনার অ্যাপয়েন্টমেন্টের সময় ${when}`,
    cancelled: (when) => `আপনার অ্যাপয়েন্টমেন্ট বাতিল হয়েছে: ${when}`,
    movedFrom: (was) => `আগের সময় ছিল ${was}। সেই সময়ে আর আসতে হবে না।`,
    changed: (when) => `আপনার অ্যাপয়েন্টমেন্টে পরিবর্তন হয়েছে: ${when}`,
    wasWith: (doctor) => `আগে এটি ${doctor}-এর সঙ্গে ছিল।`,
    lasts: (minutes, was) => `এখন সময় লাগবে ${minutes} মিনিট, আগে ছিল ${was} মিনিট।`,
    wasAt: (place) => `আগে স্থান ছিল ${place}।`,
    answer: 'ডাক্তারের প্রশ্নগুলোর উত্তর দিন',
    questions: {
      subject: (when) => `আপনার অ্যাপয়েন্টমেন্টের আগে কয়েকটি প্রশ্ন: ${when}`,
      lead: (doctor) => `আপনি আসার আগে ${doctor} কয়েকটি বিষয় জানতে চান।`,
      why: 'উত্তর দিতে কয়েক মিনিট লাগবে, আর তাতে ডাক্তার আপনাকে বেশি সময় দিতে পারবেন। উত্তর দেওয়া বাধ্যতামূলক নয়। আপনার উত্তর শুধু আপনি, ডাক্তার এবং ক্লিনিকের অ্যাডমিনরা পড়তে পারেন।',
    },
    ifYouCannotCome: 'আসতে না পারলে অনুগ্রহ করে আমাদের জানান। তাহলে অন্য কেউ সময়টি নিতে পারবেন।',
    afterCancelling: 'আপনাকে কিছু করতে হবে না। এরপরও ডাক্তার দেখাতে চাইলে অন্য সময় বুক করতে পারেন।',
    bookAnother: 'অন্য সময় বুক করুন',
    offer: {
      subject: (when) => `আপনার জন্য একটি সময় খালি আছে: ${when}`,
      lead: (doctor) => `${doctor}-এর একটি সময় খালি আছে। চাইলে সময়টি আপনি নিতে পারেন।`,
      moves: 'এই সময়ের অ্যাপয়েন্টমেন্টের বদলে',
      until: 'নেওয়ার শেষ সময়',
      otherwise: 'এর মধ্যে না নিলে সময়টি পরের জনকে দেওয়া হবে। তাতে আপনি শুধু এই সময়টিই হারাবেন।',
      otherwiseLast:
        'এর মধ্যে না নিলে সময়টি পরের জনকে দেওয়া হবে, আর অপেক্ষমাণ তালিকায় আপনার জায়গাটি থাকবে না। এরপর আমরা আর কোনো সময় দিতে পারব না।',
      open: 'সময়টি দেখুন',
    },
    ended: {
      subject: 'অপেক্ষমাণ তালিকায় আপনার জায়গাটি আর নেই',
      lead: (whom, offers) =>
        `আমরা আপনাকে ${numbers.format(offers)} বার সময় দিয়েছিলাম (${whom}), কিন্তু আপনি কোনোটি নেননি। তাই অপেক্ষমাণ তালিকায় আপনার জায়গাটি আর নেই।`,
      again: 'এখনো ডাক্তার দেখাতে চাইলে খালি কোনো সময় বুক করুন, অথবা আবার তালিকায় যোগ দিন।',
    },
    calendarEntry: (doctor) => `${doctor}-এর সঙ্গে অ্যাপয়েন্টমেন্ট`,
  },
  orders: {
    order: 'অর্ডার',
    medicines: 'ওষুধ',
    recipient: 'প্রাপক',
    total: 'মোট',
    open: 'অর্ডারটি দেখুন',
    placed: (number) => `আমরা আপনার অর্ডার #${number} পেয়েছি`,
    shipped: (number) => `আপনার অর্ডার #${number} পাঠানো হয়েছে`,
    cancelled: (number) => `আপনার অর্ডার #${number} বাতিল হয়েছে`,
    packed: (number) => `আপনার অর্ডার #${number} তৈরি আছে`,
    atCounter: 'এটি আমাদের ফার্মেসির কাউন্টার থেকে নিয়ে যাবেন।',
    afterPlacing: 'অর্ডারটি পাঠানো হলে আমরা ইমেইলে জানাব। পাঠানোর আগ পর্যন্ত আপনি এটি বাতিল করতে পারবেন।',
    afterShipping: 'অনুগ্রহ করে আপনার দেওয়া ঠিকানায় অর্ডারটি বুঝে নেওয়ার জন্য কাউকে রাখুন।',
    afterCancelling: 'অর্ডারটি আর পাঠানো হবে না। এ বিষয়ে আপনার জানা না থাকলে অনুগ্রহ করে আমাদের ফোন করুন।',
    back: {
      someMedicine: 'আপনার চাওয়া একটি ওষুধ',
      subject: (medicine) => `${medicine} আবার পাওয়া যাচ্ছে`,
      orderSoon: 'আমরা এটি আপনার জন্য আলাদা করে রাখতে পারি না। দরকার হলে অনুগ্রহ করে তাড়াতাড়ি অর্ডার করুন। এ বিষয়ে আর ইমেইল করব না।',
      bringPrescription:
        'এটির জন্য প্রেসক্রিপশন লাগবে। প্রেসক্রিপশন নিয়ে আমাদের ফার্মেসির কাউন্টারে আসুন। আমরা এটি আপনার জন্য আলাদা করে রাখতে পারি না। এ বিষয়ে আর ইমেইল করব না।',
      open: 'ফার্মেসিতে যান',
    },
  },
  account: {
    role: (role) => (Object.hasOwn(roles, role) ? roles[role as Role] : role),
    device: deviceName,
    invitation: {
      subject: (clinic) => `আপনাকে ${clinic}-এ যোগ দেওয়ার আমন্ত্রণ জানানো হয়েছে`,
      role: 'আপনার ভূমিকা',
      until: 'আমন্ত্রণের মেয়াদ শেষ',
      accept: 'আমন্ত্রণ গ্রহণ করতে এই ইমেইল ঠিকানা দিয়ে সাইন ইন করুন বা অ্যাকাউন্ট খুলুন।',
      unexpected: 'এ বিষয়ে আপনার জানা না থাকলে ইমেইলটি উপেক্ষা করুন। অনুগ্রহ করে এটি কাউকে ফরওয়ার্ড করবেন না।',
      open: 'আমন্ত্রণটি দেখুন',
    },
    address: {
      subject: 'আপনার ইমেইল ঠিকানা নিশ্চিত করুন',
      lead: 'এটি আপনার ইমেইল ঠিকানা কি না, অনুগ্রহ করে নিশ্চিত করুন।',
      email: 'ইমেইল',
      why: (clinic) =>
        `কেউ একজন, সম্ভবত আপনিই, ${clinic}-এ এই ঠিকানা দিয়েছেন। নিশ্চিত না করা পর্যন্ত এই ঠিকানার সব তথ্য আমরা আপনাকে দেখাতে পারব না।`,
      unexpected: 'আপনি না দিয়ে থাকলে এই ইমেইল উপেক্ষা করুন।',
      confirm: 'ঠিকানা নিশ্চিত করুন',
    },
    password: {
      subject: 'নতুন পাসওয়ার্ড দিন',
      lead: (clinic) => `আপনি ${clinic}-এর জন্য নতুন পাসওয়ার্ড দিতে চেয়েছেন।`,
      account: 'অ্যাকাউন্ট',
      once: 'লিংকটি একবারই কাজ করবে। আমরা কখনো ইমেইলে বা ফোনে আপনার পাসওয়ার্ড জানতে চাই না।',
      unexpected: 'আপনি না চেয়ে থাকলে এই ইমেইল উপেক্ষা করুন। আপনার পাসওয়ার্ড আগের মতোই থাকবে।',
      choose: 'নতুন পাসওয়ার্ড দিন',
    },
    changed: {
      subject: 'আপনার ইমেইল ঠিকানা বদলানো হয়েছে',
      lead: (clinic) => `${clinic}-এ আপনার অ্যাকাউন্টের ইমেইল ঠিকানা এখন অন্য।`,
      former: 'আগের ঠিকানা',
      ifYou: 'আপনিই বদলে থাকলে আর কিছু করতে হবে না।',
      ifNotYou: 'আপনি না বদলে থাকলে এখনই আগের ঠিকানা ফিরিয়ে আনুন এবং নতুন পাসওয়ার্ড দিন।',
      undo: 'আগের ঠিকানা ফিরিয়ে আনুন',
    },
    newDevice: {
      subject: 'নতুন ডিভাইসে আপনার অ্যাকাউন্ট ব্যবহার করা হয়েছে',
      lead: 'নতুন একটি ডিভাইস থেকে আপনার অ্যাকাউন্টে সাইন ইন করা হয়েছে।',
      device: 'ডিভাইস',
      when: 'সময়',
      ifYou: 'আপনিই সাইন ইন করে থাকলে আর কিছু করতে হবে না।',
      ifNotYou: 'আপনি সাইন ইন না করে থাকলে এখনই সব ডিভাইস থেকে সাইন আউট করুন এবং নতুন পাসওয়ার্ড দিন।',
      open: 'কোথায় সাইন ইন করা আছে দেখুন',
    },
    right: (right) => (Object.hasOwn(rights, right) ? rights[right as Right] : right),
    newRole: {
      subject: (clinic) => `${clinic}-এ আপনার ভূমিকা বদলেছে`,
      subjectOfRights: (clinic) => `${clinic}-এ আপনার কাজের অনুমতি বদলেছে`,
      role: 'আপনার এখনকার ভূমিকা',
      rights: 'এর পাশাপাশি আপনার কাজ',
      noRights: 'আর কিছু নয়',
      signInAgain: 'আপনাকে আবার সাইন ইন করতে হতে পারে। এ বিষয়ে আপনার জানা না থাকলে অনুগ্রহ করে আমাদের ফোন করুন।',
      open: 'ড্যাশবোর্ডে যান',
    },
  },
};
