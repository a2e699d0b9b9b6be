import { BackgroundLoop } from '@clinic/service-kit';
import { endReminders } from '../intake/store-entries.ts';
import { messagesOf } from '../ledger/message-record.ts';
import { isBackInStock } from '../orders/order-calls.ts';
import type { MessagesContext } from '../settings.ts';
import { Allowance } from './allowance.ts';
import { RejectedMessage, type Channel } from './channel.ts';
import { claimDue, holdLease, nextDue, type ClaimedMessage } from './claim.ts';
import { mailConnections } from './email-channel.ts';
import { readSendingFacts, type SendingFacts } from './sending-facts.ts';
import { isStillCancelled } from './decide-about-visit.ts';
import { decideSending } from './decide-sending.ts';
import { isLater } from './outdated.ts';
import { Pace } from './pace.ts';
import { reportOffer } from './report-offer.ts';
import { markFailedAttempt, markSent, markSuppressed, postpone } from './settle.ts';
import { askAgainAfter } from './verdict.ts';
import { writeMessage } from './write-message.ts';

/** Messages claimed at a time. */
const batchSize = 100;

/**
 * Claims of reminders per second: small batches, so that an urgent message waits for one at most and facts stay fresh.
 */
const claimsPerSecond = 4;

/** Milliseconds between polls for messages that other replicas left behind. */
const pollEvery = 2_000;

/**
 * Milliseconds after which the facts about a message are read again: a slow mail server may have held up the batch.
 */
const factsValidFor = 1_000;

/** Steps of an attempt that may each take SEND_TIMEOUT_SECONDS: connecting, greeting, envelope, content. */
const stepsOfAttempt = 4;

const byCause = (one: ClaimedMessage, other: ClaimedMessage): number => (isLater(one, other) ? 1 : -1);

/** Sends due messages until the service stops. */
export class Delivery {
  readonly #context: MessagesContext;
  readonly #channel: Channel;
  readonly #attemptMs: number;
  readonly #leaseMs: number;
  readonly #pace: Pace;
  readonly #allowance: Allowance;
  readonly #most: readonly [number, number];
  readonly #loop: BackgroundLoop;

  constructor(context: MessagesContext, channel: Channel) {
    this.#context = context;
    this.#channel = channel;
    const { SEND_TIMEOUT_SECONDS, REMINDERS_PER_SECOND } = context.settings;
    this.#attemptMs = SEND_TIMEOUT_SECONDS * 1_000 * stepsOfAttempt;
    this.#leaseMs = 2 * this.#attemptMs;
    this.#allowance = new Allowance(context);
    this.#pace = new Pace(REMINDERS_PER_SECOND);
    this.#most = [batchSize, Math.min(batchSize, Math.ceil(REMINDERS_PER_SECOND / claimsPerSecond))];
    const work = async (): Promise<number> => ((await this.round()) > 0 ? 0 : this.#untilDue());
    this.#loop = new BackgroundLoop(context, { what: 'delivery', work, every: pollEvery });
  }

  /** Call it when the ledger has new messages. */
  wake = (): void => this.#loop.wake();

  /** Runs until the service stops. */
  async run(): Promise<void> {
    await this.#loop.run();
    this.#channel.close();
  }

  /** Sends one batch. @returns how many messages were due */
  async round(): Promise<number> {
    const claimed = await claimDue(this.#context, this.#most, this.#leaseMs);
    if (claimed.length === 0) return 0;
    const facts = await readSendingFacts(this.#context, claimed);
    // From here, so that a machine on which this took longer gets on. Each attempt renews its lease.
    const lastStart = performance.now() + this.#attemptMs;
    // What one message has told of a visit decides whether the next is news.
    const queue = [...Map.groupBy(facts.messages, ({ visit, _id }) => visit ?? _id).values()];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        for (const [index, message] of next.toSorted(byCause).entries()) {
          if (message.lane === 1) await this.#pace.turn(this.#context.stopping);
          if (this.#context.stopping.aborted || performance.now() > lastStart)
            await postpone(this.#context, message, new Date());
          else await this.#handle(message, index === 0 ? facts : undefined);
        }
      }
    };
    await Promise.all(Array.from({ length: mailConnections }, work));
    return claimed.length;
  }

  async #handle(claimed: ClaimedMessage, known: SendingFacts | undefined): Promise<void> {
    const context = this.#context;
    const isFresh = known && Date.now() - known.now.getTime() <= factsValidFor;
    const facts = isFresh ? known : await readSendingFacts(context, [claimed]);
    const [message = claimed] = isFresh ? [] : facts.messages;
    const { kind } = message;
    const visit = kind === 'appointment-cancelled' ? facts.visits?.get(message.visit ?? '') : undefined;
    // Not earlier: until this message is due, staff may take the cancellation back.
    if (visit && isStillCancelled(visit, message)) await endReminders(context, visit.id);
    const verdict = decideSending(message, facts, context.settings);
    if (verdict.act === 'suppress') return markSuppressed(context, message, verdict.reason);
    if (verdict.act === 'wait') return postpone(context, message, verdict.until);
    using lease = await holdLease(context, messagesOf(context), message, this.#leaseMs);
    if (!lease) return;
    const { email } = verdict;
    const allowed = await this.#allowance.take(message, email);
    if (allowed.act === 'suppress') return markSuppressed(context, message, allowed.reason);
    if (allowed.act === 'wait') return postpone(context, message, new Date(Date.now() + askAgainAfter));
    const isBack = await this.#isBack(message, email);
    if (!isBack) {
      await this.#allowance.giveBack(message, email);
      return isBack === undefined
        ? postpone(context, message, new Date(Date.now() + askAgainAfter))
        : markSuppressed(context, message, 'out-of-date');
    }
    try {
      await this.#channel.send(await writeMessage(context, message, verdict));
    } catch (error) {
      await this.#allowance.giveBack(message, email);
      const { message: reason } = error as Error;
      const final = error instanceof RejectedMessage;
      context.log.warn(
        {
          message: message._id.toHexString(),
          kind,
          attempts: message.attempts,
          final,
          reason: (error as { code?: string }).code,
        },
        'message not sent',
      );
      return markFailedAttempt(context, message, reason, final);
    }
    await markSent(context, message, verdict);
    await reportOffer(context, message, facts);
  }

  /** Whether the medicine that a message calls back in stock still is; true of messages about anything else. */
  async #isBack({ kind, to: { account }, data }: ClaimedMessage, email: string): Promise<boolean | undefined> {
    if (kind !== 'back-in-stock' || account === undefined) return true;
    const { id: medicine } = data['medicine'] as { readonly id: string };
    return isBackInStock(this.#context, { medicine, account, email });
  }

  /** Milliseconds until a message is due, at most `pollEvery`. */
  async #untilDue(): Promise<number> {
    const due = await nextDue(this.#context);
    return Math.min(pollEvery, Math.max(0, (due?.getTime() ?? Infinity) - Date.now()));
  }
}
