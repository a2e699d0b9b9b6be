import type { RenderedMessage } from '../templates/render-message.ts';

/** A message on its way out. */
export interface OutgoingMessage extends RenderedMessage {
  /** The same for all attempts. */
  readonly messageId: string;
  readonly to: { readonly email: string; readonly name?: string | undefined };
  /** Where one press ends messages of this kind (RFC 8058); absent if they always come. */
  readonly unsubscribe?: string | undefined;
}

/** A way to reach people, such as email. Another one is added by implementing this. */
export interface Channel {
  /**
   * Sends a message, or learns that it may have been sent: then it throws, and the message is sent again.
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
