import type { CallId, CallResponse } from '@clinic/contracts';

export type OwnMessage = CallResponse<'listOwnMessages'>[number];
export type Message = CallResponse<'listMessages'>[number];
export type MessagePreferences = CallResponse<'getMessagePreferences'>;
export type OwnAddress = CallResponse<'getOwnMessageAddress'>;
export type MessageFigures = CallResponse<'getMessageFigures'>;
export type DemoMail = CallResponse<'listMailbox'>[number];
export type FullMail = CallResponse<'getMailboxMail'>;
export type Webhook = CallResponse<'listWebhooks'>[number];
export type WebhookDelivery = CallResponse<'listWebhookDeliveries'>[number];
export type LinkAction = CallResponse<'readMessageAction'>;

/** What a message that is sent again, or a kind that is switched, outdates. */
export const messageLists = [
  'listMessages',
  'listOwnMessages',
  'getMessageFigures',
] as const satisfies readonly CallId[];
