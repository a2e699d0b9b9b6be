import { draftOf as draftOfForm, keepDraft as keepFormDraft } from '@clinic/app-kit';

/** Where an order goes. */
export interface DeliveryDetails {
  readonly phone: string;
  readonly address: string;
}

const blank: DeliveryDetails = { phone: '', address: '' };

const keyOf = (email: string): string => `order ${email}`;

/** What this customer has typed so far: the form goes away with the cart's dialog, and while the session is looked at again. */
export function draftOf(email: string): DeliveryDetails {
  return draftOfForm<DeliveryDetails>(keyOf(email)) ?? blank;
}

/** Keeps it for as long as the page lives; it is nobody else's. */
export function keepDraft(email: string, details: Partial<DeliveryDetails>): void {
  keepFormDraft(keyOf(email), { ...blank, ...details });
}

/** The order is made. */
export function forgetDraft(email: string): void {
  keepFormDraft(keyOf(email));
}
