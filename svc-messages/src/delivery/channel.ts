import type { RenderedMessage } from '../templates/render-message.ts';

/** A message to be sent. */
export interface OutgoingMessage extends RenderedMessage {
  /** Message-ID, the same for all attempts. */
  readonly messageId: string;
  readonly to: { readonly email: string; readonly name?: string | undefined };
  /** URL for one-click unsubscribing from this kind (RFC 8058); absent if it can't be switched off. */
  readonly unsubscribe?: string | undefined;
}

/** A way to reach people, such as email. */
export interface Channel {
  /**
   * Sends a message. Throws if it can't be sure that it was sent; the message is then sent again.
   *
   * @throws RejectedMessage if another attempt can't help; any other error if it may
   */
  send(message: OutgoingMessage): Promise<void>;
  close(): void;
}

/** The message can't be delivered, now or later, e.g. because there is no such address. */
export class RejectedMessage extends Error {
  override readonly name = 'RejectedMessage';
}
