import { toMinor } from '@clinic/contracts/money';
import type { OutboxData } from '@clinic/contracts/outbox/entries';
import type { Fact, MessageWords, Setting } from './message-words.ts';

type Order = OutboxData<'order-placed'>['order'];

/** What was ordered reveals somebody's health, so it needs the setting. */
function orderFacts({ number, lines, total, currency }: Order, { detail, words }: Setting): Fact[] {
  const { orders: said, count, amount } = words;
  return [
    { label: said.order, value: `#${number}` },
    ...(detail === 'full' && lines !== undefined && lines.length > 0
      ? [{ label: said.medicines, value: lines.map(({ name, quantity }) => `${count(quantity)} × ${name}`).join('\n') }]
      : []),
    { label: said.total, value: amount(toMinor(total), currency) },
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
  const { placed, afterPlacing } = setting.words.orders;
  return orderWords(order, setting, placed(order.number), afterPlacing);
}

export function orderShipped({ order }: OutboxData<'order-shipped'>, setting: Setting): MessageWords {
  const { shipped, afterShipping } = setting.words.orders;
  return orderWords(order, setting, shipped(order.number), afterShipping);
}

export function orderCancelled({ order }: OutboxData<'order-cancelled'>, setting: Setting): MessageWords {
  const { cancelled, afterCancelling } = setting.words.orders;
  return orderWords(order, setting, cancelled(order.number), afterCancelling);
}

export function backInStock(
  { medicine }: OutboxData<'back-in-stock'>,
  { clinic, detail, words }: Setting,
): MessageWords {
  const said = words.orders.back;
  const subject = said.subject(detail === 'full' ? medicine.name : said.someMedicine);
  return {
    subject,
    lead: words.sentence(subject),
    paragraphs: [said.orderSoon],
    button: { label: said.open, url: `${clinic.url}/medicinestore` },
  };
}
