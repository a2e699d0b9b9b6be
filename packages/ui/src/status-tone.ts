/** Colour by meaning: done or good, rejected or gone, needs attention, in progress, nothing special. */
export type Tone = 'green' | 'red' | 'yellow' | 'blue' | 'grey';

/** Every status word of the product, in lower case. */
const tones: Readonly<Record<string, Tone>> = {
  confirmed: 'green',
  delivered: 'green',
  'in stock': 'green',
  available: 'green',
  active: 'green',
  cancelled: 'red',
  'out of stock': 'red',
  expired: 'red',
  disabled: 'red',
  pending: 'yellow',
  'low stock': 'yellow',
  shipped: 'blue',
};

/** The tone of a status; unknown ones are grey. */
export function toneOfStatus(status: string): Tone {
  return tones[status.toLowerCase()] ?? 'grey';
}
