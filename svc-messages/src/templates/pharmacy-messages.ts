import { toMinor } from '@clinic/contracts/money';
import type { OutboxData } from '@clinic/contracts/outbox/entries';
import type { Fact, MessageWords, Setting } from './message-words.ts';

type Order = OutboxData<'order-placed'>['order'];

/** Medicines reveal somebody's health, so only `full` detail names them. */
function orderFacts({ number, lines, total, currency, recipient }: Order, { detail, words }: Setting): Fact[] {
  const { orders: texts, count, amount } = words;
  return [
    { label: texts.order, value: `#${number}` },
    ...(detail === 'full' && lines !== undefined && lines.length > 0
      ? [
          {
            label: texts.medicines,
            value: lines.map(({ name, quantity }) => `${count(quantity)} × ${name}`).join('\n'),
          },
        ]
      : []),
    ...(recipient === undefined ? [] : [{ label: texts.recipient, value: recipient }]),
    { label: texts.total, value: amount(toMinor(total), currency) },
  ];
}

const orderWords = (order: Order, setting: Setting, subject: string, paragraph: string): MessageWords => ({
  subject,
  lead: setting.words.sentence(subject),
  facts: orderFacts(order, setting),
  paragraphs: [paragraph],
  button: { label: setting.words.orders.open, url: `${setting.clinic.url}/dash/myorders` },
});

export function orderPlaced({ order }: OutboxData<'order-placed'>, setting: Setting): MessageWords {
  const { placed, afterPlacing, atCounter } = setting.words.orders;
  return orderWords(order, setting, placed(order.number), order.collected ? atCounter : afterPlacing);
}

export function orderShipped({ order }: OutboxData<'order-shipped'>, setting: Setting): MessageWords {
  const { shipped, afterShipping, packed, atCounter } = setting.words.orders;
  return order.collected
    ? orderWords(order, setting, packed(order.number), atCounter)
    : orderWords(order, setting, shipped(order.number), afterShipping);
}

export function orderCancelled({ order }: OutboxData<'order-cancelled'>, setting: Setting): MessageWords {
  const { cancelled, afterCancelling } = setting.words.orders;
  return orderWords(order, setting, cancelled(order.number), afterCancelling);
}

export function backInStock(
  { medicine }: OutboxData<'back-in-stock'>,
  { clinic, detail, words }: Setting,
): MessageWords {
  const texts = words.orders.back;
  const subject = texts.subject(detail === 'full' ? medicine.name : texts.someMedicine);
  return {
    subject,
    lead: words.sentence(subject),
    paragraphs: [medicine.prescriptionOnly ? texts.bringPrescription : texts.orderSoon],
    button: { label: texts.open, url: `${clinic.url}/medicinestore` },
  };
}
