import { formatOrderTotal, toMinor } from '@clinic/contracts/money';
import type { OutboxData } from '@clinic/contracts/outbox/entries';
import type { Fact, MessageWords, Setting } from './message-words.ts';

type Order = OutboxData<'order-placed'>['order'];

/** What was ordered reveals somebody's health, so it needs the setting. */
function orderFacts({ number, lines, total, currency }: Order, { detail }: Setting): Fact[] {
  return [
    { label: 'Order', value: `#${number}` },
    ...(detail === 'full' && lines !== undefined && lines.length > 0
      ? [{ label: 'Medicines', value: lines.map(({ name, quantity }) => `${quantity} × ${name}`).join('\n') }]
      : []),
    { label: 'Total', value: formatOrderTotal(toMinor(total), currency) },
  ];
}

const orderWords = (order: Order, setting: Setting, said: Pick<MessageWords, 'subject' | 'lead' | 'paragraphs'>) => ({
  ...said,
  facts: orderFacts(order, setting),
  button: { label: 'See your order', url: `${setting.clinic.url}/dash/myorders` },
});

export function orderPlaced({ order }: OutboxData<'order-placed'>, setting: Setting): MessageWords {
  const subject = `We have your order #${order.number}`;
  return orderWords(order, setting, {
    subject,
    lead: `${subject}.`,
    paragraphs: ['We’ll email you when it’s on its way. You can cancel it until then.'],
  });
}

export function orderShipped({ order }: OutboxData<'order-shipped'>, setting: Setting): MessageWords {
  const subject = `Your order #${order.number} is on its way`;
  return orderWords(order, setting, {
    subject,
    lead: `${subject}.`,
    paragraphs: ['Please make sure that someone can take it at the address you gave.'],
  });
}

export function orderCancelled({ order }: OutboxData<'order-cancelled'>, setting: Setting): MessageWords {
  const subject = `Your order #${order.number} is cancelled`;
  return orderWords(order, setting, {
    subject,
    lead: `${subject}.`,
    paragraphs: ['It won’t be delivered. If you didn’t expect this, please call us.'],
  });
}

export function backInStock({ medicine }: OutboxData<'back-in-stock'>, setting: Setting): MessageWords {
  const what = setting.detail === 'full' ? medicine.name : 'A medicine you asked about';
  return {
    subject: `${what} is back in stock`,
    lead: `${what} is back in stock.`,
    paragraphs: ['We can’t keep it for you, so please order soon if you need it. We won’t email you about it again.'],
    button: { label: 'Go to the pharmacy', url: `${setting.clinic.url}/medicinestore` },
  };
}
