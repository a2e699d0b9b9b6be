import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import ical from 'ical.js';
import { messageKinds } from '../contract/kinds.ts';
import type { Setting } from './message-words.ts';
import { renderMessage, type MessageOfKind } from './render-message.ts';
import { sampleMessages } from './sample-messages.ts';

const setting: Setting = {
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
const render = (message: MessageOfKind, other: Partial<Setting> = {}) =>
  renderMessage({ ...setting, ...other, ...message });

/** The words of an HTML mail, as somebody reads them. */
const readable = (html: string): string =>
  html
    .replace(/<style>[^]*<\/style>/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(
      /&(amp|lt|gt|quot|#39);/g,
      (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'",
    )
    .replaceAll(/\s+/g, ' ');

const subjects: Readonly<Record<(typeof messageKinds)[number], string>> = {
  'appointment-booked': 'Your appointment on Tue, Dec 1 at 10:00 AM is booked',
  'appointment-confirmed': 'Your appointment on Tue, Dec 1 at 10:00 AM is confirmed',
  'appointment-moved': 'Your appointment is now on Tue, Dec 1 at 10:00 AM',
  'appointment-cancelled': 'Your appointment on Tue, Dec 1 at 10:00 AM is cancelled',
  'appointment-reminder': 'Reminder: your appointment is on Tue, Dec 1 at 10:00 AM',
  'waitlist-offer': 'A time is free for you: Tue, Dec 1 at 10:00 AM',
  'order-placed': 'We have your order #4F09A1',
  'order-shipped': 'Your order #4F09A1 is on its way',
  'order-cancelled': 'Your order #4F09A1 is cancelled',
  'back-in-stock': 'A medicine you asked about is back in stock',
  'staff-invitation': 'You’re invited to join Test Clinic',
  'confirm-address': 'Confirm your email address',
  'password-reset': 'Choose a new password',
  'new-device': 'Your account was used on a new device',
  'role-changed': 'Your role at Test Clinic has changed',
};

describe('renderMessage', () => {
  for (const kind of messageKinds) {
    it(`writes ${kind} as text and HTML with the same words and links`, () => {
      const { subject, text, html } = render(sampleMessages[kind]);
      assert.equal(subject, subjects[kind]);
      const words = readable(html);
      const links = new Set([...html.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&')));
      for (const line of text.split('\n')) {
        const said = line.replace(/:$/, '').trim();
        if (said.startsWith('https:')) assert.ok(links.has(said), `${said} isn't a link of the HTML`);
        // The HTML shows the name of a detail above its value.
        else
          for (const part of said.replace('--', '').split(': '))
            assert.ok(words.includes(part), `HTML lacks '${part}'`);
      }
      assert.ok(text.includes('Stop emails like this one:\nhttps://clinic.example/u'));
    });

    it(`says nothing about health in ${kind} unless the setting allows it`, () => {
      const { subject, text, html, ics } = render(sampleMessages[kind]);
      for (const part of [subject, text, html, ics?.content ?? '']) assert.doesNotMatch(part, /Paracetamol|Saline/);
    });
  }

  it('names medicines if the setting allows it', () => {
    const full = { detail: 'full' } as const;
    assert.match(
      render(sampleMessages['order-placed'], full).text,
      /Medicines:\n  2 × Paracetamol 500 mg\n  1 × Saline/,
    );
    assert.equal(render(sampleMessages['back-in-stock'], full).subject, 'Paracetamol 500 mg is back in stock');
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

  it('has no link to switch off where that isn’t possible', () => {
    const { text, html } = render(sampleMessages['new-device'], { links: { preferences: 'https://clinic.example/p' } });
    for (const part of [text, html]) {
      assert.ok(!part.includes('Stop emails like this one'));
      assert.ok(part.includes('We always send emails like this one'));
    }
  });

  it('shows the reader’s own clock too, if it differs', () => {
    const message = sampleMessages['appointment-confirmed'];
    const inTime = (timeZone: string) => render(message, { to: { ...setting.to, timeZone } }).text;
    assert.match(inTime('Asia/Dhaka'), /^When: Tue, Dec 1, 2026 at 10:00 AM$/m);
    const newYork = inTime('America/New_York');
    assert.match(newYork, /^When, by the clinic’s clock: Tue, Dec 1, 2026 at 10:00 AM$/m);
    assert.match(newYork, /^When, by your clock \(America\/New York\): Mon, Nov 30, 2026 at 11:00 PM$/m);
  });

  it('attaches the calendar’s own entry: requested, updated with a higher sequence, and cancelled', () => {
    const entryOf = (kind: 'appointment-confirmed' | 'appointment-moved' | 'appointment-cancelled') => {
      const { ics } = render(sampleMessages[kind]);
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
      assert.equal(render(sampleMessages[kind]).ics, undefined);
  });
});
