import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import ical from 'ical.js';
import { messageKinds, type MessageKind } from '../contract/kinds.ts';
import { messageLanguages, type MessageLanguage } from '../contract/languages.ts';
import type { MessageSetting } from './message-words.ts';
import { renderMessage, type MessageOfKind } from './render-message.ts';
import { sampleOf } from './sample-messages.ts';
import { wordsIn } from './words/words-in.ts';

const setting: MessageSetting = {
  language: 'en',
  to: { email: 'ann@mail.example', name: 'Ann Lee' },
  clinic: {
    name: 'Test Clinic',
    address: '1 Test Road, Dhaka',
    phone: '+880 1555 0100',
    email: 'hello@clinic.example',
    zone: 'Asia/Dhaka',
    url: 'https://clinic.example',
  },
  links: {
    cancel: 'https://clinic.example/c?a=1&b=2',
    move: 'https://clinic.example/m',
    unsubscribe: 'https://clinic.example/u',
    preferences: 'https://clinic.example/p',
  },
  detail: 'minimal',
};
const render = (message: MessageOfKind, other: Partial<MessageSetting> = {}) =>
  renderMessage({ ...setting, ...other, ...message });

/** A text with ordinary spaces only. */
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

/** The text of an HTML mail as its reader sees it. */
const readable = (html: string): string =>
  html
    .replace(/<style>[^]*<\/style>/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(
      /&(amp|lt|gt|quot|#39);/g,
      (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'",
    )
    .replaceAll(/\s+/g, ' ');

const englishSubjects: Readonly<Record<MessageKind, string>> = {
  'appointment-booked': 'Your appointment on Tue, Dec 1 at 10:00 AM is booked',
  'appointment-confirmed': 'Your appointment on Tue, Dec 1 at 10:00 AM is confirmed',
  'appointment-moved': 'Your appointment is now on Tue, Dec 1 at 10:00 AM',
  'appointment-cancelled': 'Your appointment on Tue, Dec 1 at 10:00 AM is cancelled',
  'appointment-reminder': 'Reminder: your appointment is on Tue, Dec 1 at 10:00 AM',
  'appointment-questions': 'A few questions before your appointment on Tue, Dec 1 at 10:00 AM',
  'waitlist-offer': 'A time is free for you: Tue, Dec 1 at 10:00 AM',
  'waitlist-ended': 'Your place on the waitlist has ended',
  'order-placed': 'We have your order #4F09A1',
  'order-shipped': 'Your order #4F09A1 is on its way',
  'order-cancelled': 'Your order #4F09A1 is cancelled',
  'back-in-stock': 'A medicine you asked about is back in stock',
  'staff-invitation': 'You’re invited to join Test Clinic',
  'confirm-address': 'Confirm your email address',
  'password-reset': 'Choose a new password',
  'address-changed': 'Your email address was changed',
  'new-device': 'Your account was used on a new device',
  'role-changed': 'Your role at Test Clinic has changed',
};

const banglaSubjects: Readonly<Record<MessageKind, string>> = {
  'appointment-booked': 'আপনার অ্যাপয়েন্টমেন্ট বুক হয়েছে: মঙ্গলবার, ১ ডিসেম্বর, সকাল ১০:০০টা',
  'appointment-confirmed': 'আপনার অ্যাপয়েন্টমেন্ট নিশ্চিত হয়েছে: মঙ্গলবার, ১ ডিসেম্বর, সকাল ১০:০০টা',
  'appointment-moved': 'আপনার অ্যাপয়েন্টমেন্টের নতুন সময়: মঙ্গলবার, ১ ডিসেম্বর, সকাল ১০:০০টা',
  'appointment-cancelled': 'আপনার অ্যাপয়েন্টমেন্ট বাতিল হয়েছে: মঙ্গলবার, ১ ডিসেম্বর, সকাল ১০:০০টা',
  'appointment-reminder': 'রিমাইন্ডার: আপনার অ্যাপয়েন্টমেন্টের সময় মঙ্গলবার, ১ ডিসেম্বর, সকাল ১০:০০টা',
  'appointment-questions': 'আপনার অ্যাপয়েন্টমেন্টের আগে কয়েকটি প্রশ্ন: মঙ্গলবার, ১ ডিসেম্বর, সকাল ১০:০০টা',
  'waitlist-offer': 'আপনার জন্য একটি সময় খালি আছে: মঙ্গলবার, ১ ডিসেম্বর, সকাল ১০:০০টা',
  'waitlist-ended': 'অপেক্ষমাণ তালিকায় আপনার জায়গাটি আর নেই',
  'order-placed': 'আমরা আপনার অর্ডার #4F09A1 পেয়েছি',
  'order-shipped': 'আপনার অর্ডার #4F09A1 পাঠানো হয়েছে',
  'order-cancelled': 'আপনার অর্ডার #4F09A1 বাতিল হয়েছে',
  'back-in-stock': 'আপনার চাওয়া একটি ওষুধ আবার পাওয়া যাচ্ছে',
  'staff-invitation': 'আপনাকে Test Clinic-এ যোগ দেওয়ার আমন্ত্রণ জানানো হয়েছে',
  'confirm-address': 'আপনার ইমেইল ঠিকানা নিশ্চিত করুন',
  'password-reset': 'নতুন পাসওয়ার্ড দিন',
  'address-changed': 'আপনার ইমেইল ঠিকানা বদলানো হয়েছে',
  'new-device': 'নতুন ডিভাইসে আপনার অ্যাকাউন্ট ব্যবহার করা হয়েছে',
  'role-changed': 'Test Clinic-এ আপনার ভূমিকা বদলেছে',
};

const subjects: Readonly<Record<MessageLanguage, typeof englishSubjects>> = { en: englishSubjects, bn: banglaSubjects };

/** Whether a line repeats the subject, which has no room for a zone. */
const subjectLine = (kind: MessageKind, line: string): boolean => line.startsWith(englishSubjects[kind]);

/** Names, numbers and addresses in the samples, which are the same in every language. */
const untranslated = [
  /https?:\/\/\S+/g,
  /Dr\. Sara Rahman|Level 3, room 12|#4F09A1|Paracetamol 500 mg|Saline nasal spray|Chrome|Android|Nadia Rahman|K7QM/g,
  /Test Clinic|1 Test Road, Dhaka|\+880 1555 0100|\S+@\S+|America\/New York|Asia\/Dhaka/g,
];
const translated = (text: string): string => untranslated.reduce((rest, part) => rest.replaceAll(part, ''), text);

describe('renderMessage', () => {
  it('asks whoever has a link for that to say that they will come', () => {
    for (const language of messageLanguages)
      for (const come of [undefined, 'https://clinic.example/come']) {
        const { text } = render(sampleOf('appointment-reminder'), { language, links: { ...setting.links, come } });
        const { pleaseConfirm, come: label } = wordsIn[language].appointments;
        for (const part of [pleaseConfirm, label, 'https://clinic.example/come'])
          assert.equal(plain(text).replaceAll(/\s+/g, ' ').includes(part), come !== undefined, part);
      }
  });

  it('says the code for the desk where the visit has one', () => {
    for (const language of messageLanguages)
      for (const [kind, has] of [
        ['appointment-reminder', true],
        ['appointment-confirmed', false],
      ] as const)
        assert.equal(render(sampleOf(kind), { language }).text.includes('K7QM'), has, `${kind} ${language}`);
  });

  for (const [kind, language] of messageKinds.flatMap((one) => messageLanguages.map((each) => [one, each] as const))) {
    it(`writes ${kind} in ${language} as text and HTML with the same words and links`, () => {
      const { subject, text, html } = render(sampleOf(kind), { language });
      assert.equal(plain(subject), subjects[language][kind]);
      assert.ok(html.includes(`<html lang="${language}">`));
      const words = readable(html);
      const links = new Set([...html.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&')));
      for (const line of text.split('\n')) {
        const content = plain(line).replace(/:$/, '').trim();
        if (content.startsWith('https:')) assert.ok(links.has(content), `${content} isn't a link of the HTML`);
        // The HTML shows the name of a detail above its value.
        else
          for (const part of content.replace('--', '').split(': '))
            assert.ok(words.includes(part), `HTML lacks '${part}'`);
      }
      assert.ok(text.includes(`${wordsIn[language].footer.stop}:\nhttps://clinic.example/u`));
    });

    it(`says nothing about health in ${kind} in ${language} unless the setting allows it`, () => {
      const { subject, text, html, ics } = render(sampleOf(kind), { language });
      for (const part of [subject, text, html, ics?.content ?? '']) assert.doesNotMatch(part, /Paracetamol|Saline/);
    });
  }

  for (const kind of messageKinds)
    it(`leaves nothing of ${kind} in English letters or numerals for a reader of Bangla`, () => {
      const abroad = { to: { ...setting.to, timeZone: 'America/New_York' } };
      for (const links of [setting.links, { preferences: setting.links.preferences }]) {
        const bangla = { ...abroad, links, language: 'bn', detail: 'full' } as const;
        const { subject, text, html, ics } = render(sampleOf(kind), bangla);
        const [, summary = ''] = /^SUMMARY:(.*)$/m.exec(ics?.content.replaceAll('\r\n ', '') ?? '') ?? [];
        for (const part of [subject, text, readable(html), summary])
          assert.doesNotMatch(translated(part), /[A-Za-z0-9]/);
      }
    });

  it('names medicines if the setting allows it', () => {
    const full = { detail: 'full' } as const;
    assert.match(render(sampleOf('order-placed'), full).text, /For: Nadia Rahman/);
    assert.match(render(sampleOf('order-placed'), full).text, /Medicines:\n  2 × Paracetamol 500 mg\n  1 × Saline/);
    assert.equal(render(sampleOf('back-in-stock'), full).subject, 'Paracetamol 500 mg is back in stock');
  });

  it('says where to go with an order that is collected, and with a prescription', () => {
    for (const [language, collect, bring] of [
      [
        'en',
        /^You collect it at our pharmacy counter\.$/m,
        /^It needs a prescription: bring it to our pharmacy counter\. /m,
      ],
      ['bn', /কাউন্টার থেকে নিয়ে যাবেন/, /প্রেসক্রিপশন নিয়ে আমাদের ফার্মেসির কাউন্টারে আসুন/],
    ] as const) {
      for (const kind of ['order-placed', 'order-shipped'] as const) {
        const order = { id: '1', number: '4F09A1', total: 12, currency: '৳', collected: true };
        const { text } = render({ kind, data: { order } }, { language });
        assert.match(text, collect);
        assert.doesNotMatch(text, /on its way|address you gave/);
      }
      const medicine = { id: '1', name: 'Amoxicillin', prescriptionOnly: true };
      const { text } = render({ kind: 'back-in-stock', data: { medicine } }, { language });
      assert.match(text, bring);
      assert.doesNotMatch(text, /order soon/);
    }
  });

  it('escapes what people typed, and keeps a subject on one line', () => {
    const { subject, html } = render(
      {
        kind: 'back-in-stock',
        data: { medicine: { id: '1', name: '<b onclick="x">A & \'B\'</b>\r\nBcc: eve@mail.example' } },
      },
      { detail: 'full' },
    );
    assert.ok(!/[\r\n]/.test(subject));
    assert.ok(!html.includes('<b onclick'));
    assert.ok(html.includes('&lt;b onclick=&quot;x&quot;&gt;A &amp; &#39;B&#39;&lt;/b&gt;'));
  });

  it('has no unsubscribe link if the kind can’t be switched off', () => {
    const { text, html } = render(sampleOf('new-device'), { links: { preferences: 'https://clinic.example/p' } });
    for (const part of [text, html]) {
      assert.ok(!part.includes('Stop emails like this one'));
      assert.ok(part.includes('We always send emails like this one'));
    }
  });

  it('shows the reader’s own clock too, if it differs', () => {
    const message = sampleOf('appointment-confirmed');
    const inTime = (timeZone: string) => render(message, { to: { ...setting.to, timeZone } }).text;
    assert.match(inTime('Asia/Dhaka'), /^When: Tue, Dec 1, 2026 at 10:00 AM$/m);
    const newYork = inTime('America/New_York');
    assert.match(newYork, /^When, by the clinic’s clock \(Asia\/Dhaka\): Tue, Dec 1, 2026 at 10:00 AM$/m);
    assert.match(newYork, /^When, by your clock \(America\/New York\): Mon, Nov 30, 2026 at 11:00 PM$/m);
  });

  it('says of an offer where it is, by whose clock, and which visit it moves', () => {
    const inTime = (timeZone: string) =>
      plain(render(sampleOf('waitlist-offer'), { to: { ...setting.to, timeZone } }).text);
    const here = inTime('Asia/Dhaka');
    assert.match(here, /^Where:\s+Level 3, room 12\s+1 Test Road, Dhaka$/m);
    assert.match(here, /^Instead of your appointment on: Fri, Dec 4, 2026 at 11:30 AM$/m);
    assert.match(here, /^We keep it for you until: Mon, Nov 30, 2026 at 3:30 PM$/m);
    const newYork = inTime('America/New_York');
    assert.match(newYork, /^When, by the clinic’s clock \(Asia\/Dhaka\): Tue, Dec 1, 2026 at 10:00 AM$/m);
    assert.match(newYork, /^Instead of your appointment on: Fri, Dec 4, 2026 at 11:30 AM \(Asia\/Dhaka\)$/m);
    assert.match(newYork, /^We keep it for you until: Mon, Nov 30, 2026 at 3:30 PM \(Asia\/Dhaka\)$/m);
  });

  for (const kind of messageKinds)
    it(`names the clinic’s zone beside every time in ${kind} to a reader whose clock differs`, () => {
      const { text } = render(sampleOf(kind), { to: { ...setting.to, timeZone: 'America/New_York' } });
      for (const line of plain(text).split('\n'))
        if (/\d:\d\d [AP]M/.test(line) && !subjectLine(kind, line))
          assert.match(line, /Asia\/Dhaka|America\/New York/, line);
    });

  it('writes times, amounts, roles and devices as is usual in Bangla', () => {
    const { longMoment, amount, account } = wordsIn.bn;
    const times = [
      ['00:05', 'রাত', '১২:০৫'],
      ['04:30', 'ভোর', '৪:৩০'],
      ['09:00', 'সকাল', '৯:০০'],
      ['12:00', 'দুপুর', '১২:০০'],
      ['17:00', 'বিকাল', '৫:০০'],
      ['19:45', 'সন্ধ্যা', '৭:৪৫'],
      ['23:59', 'রাত', '১১:৫৯'],
    ] as const;
    for (const [time, part, clock] of times)
      assert.equal(longMoment({ date: '2026-12-01', time }), `মঙ্গলবার, ১ ডিসেম্বর, ২০২৬, ${part}\u00a0${clock}টা`);
    assert.equal(amount(34_050_050, '৳'), '৳৩,৪০,৫০০.৫০');
    assert.deepEqual(['doctor', 'night guard'].map(account.role), ['ডাক্তার', 'night guard']);
    assert.deepEqual(['Chrome on Android', 'Unknown browser on Linux', 'Unknown browser'].map(account.device), [
      'Chrome (Android)',
      'অজানা ব্রাউজার (Linux)',
      'অজানা ব্রাউজার',
    ]);
  });

  it('attaches the calendar’s own entry: requested, updated with a higher sequence, and cancelled', () => {
    const entryOf = (kind: 'appointment-confirmed' | 'appointment-moved' | 'appointment-cancelled') => {
      const { ics } = render(sampleOf(kind));
      assert.ok(ics);
      const calendar = new ical.Component(ical.parse(ics.content));
      assert.equal(calendar.getFirstPropertyValue('method'), ics.method);
      const event = calendar.getFirstSubcomponent('vevent');
      assert.ok(event);
      const value = (name: string) => String(event.getFirstPropertyValue(name));
      return {
        method: ics.method,
        ...Object.fromEntries(
          ['uid', 'sequence', 'status', 'dtstart', 'duration', 'organizer', 'attendee'].map((name) => [
            name,
            value(name),
          ]),
        ),
      };
    };
    const entry = {
      method: 'REQUEST',
      uid: '000000000000000000000001@appointments.clinic',
      sequence: '1',
      status: 'CONFIRMED',
      dtstart: '2026-12-01T10:00:00',
      duration: 'PT30M',
      organizer: 'mailto:hello@clinic.example',
      attendee: 'MAILTO:ann@mail.example',
    };
    assert.deepEqual(entryOf('appointment-confirmed'), entry);
    assert.deepEqual(entryOf('appointment-moved'), { ...entry, sequence: '2', status: 'TENTATIVE' });
    assert.deepEqual(entryOf('appointment-cancelled'), {
      ...entry,
      method: 'CANCEL',
      sequence: '3',
      status: 'CANCELLED',
    });
    for (const kind of ['appointment-reminder', 'order-placed', 'new-device'] as const)
      assert.equal(render(sampleOf(kind)).ics, undefined);
  });

  it('says of a move what else has changed, and of one at the same time that it is no other time', () => {
    const sample = sampleOf('appointment-moved') as MessageOfKind & { readonly kind: 'appointment-moved' };
    const { date, time } = sample.data.visit;
    const visit = { ...sample.data.visit, doctor: 'Dr. Grey', minutes: 30, place: 'Branch' };
    const same = { doctor: 'Dr. Grey', minutes: 30, place: 'Branch' };
    const written = (was: object, language: MessageLanguage = 'en') =>
      render({ ...sample, data: { visit, was: { date, time, ...same, ...was } } }, { language });
    const adopted = written({ minutes: 60, place: 'Level 3' });
    assert.equal(plain(adopted.subject), 'Your appointment on Tue, Dec 1 at 10:00 AM has changed');
    assert.match(adopted.text, /It now lasts 30 minutes instead of 60\./);
    assert.match(adopted.text, /It was at Level 3 before\./);
    assert.doesNotMatch(adopted.text, /Nobody expects you/);
    assert.match(written({ place: '' }).text, /It was at 1 Test Road, Dhaka before\./);
    const handedOver = written({ doctor: 'Dr. House', date: '2026-11-30' });
    assert.equal(plain(handedOver.subject), 'Your appointment is now on Tue, Dec 1 at 10:00 AM');
    assert.match(plain(handedOver.text), /It was on Mon, Nov 30 at 10:00 AM before\. Nobody expects you/);
    assert.match(handedOver.text, /It was with Dr\. House before\./);
    assert.match(written({ minutes: 60 }, 'bn').text, /এখন সময় লাগবে ৩০ মিনিট, আগে ছিল ৬০ মিনিট।/);
  });
});
