import { BackgroundLoop } from '@clinic/service-kit';
import { endReminders } from '../intake/store-entries.ts';
import type { MessagesContext } from '../settings.ts';
import { Allowance } from './allowance.ts';
import { RejectedMessage, type Channel } from './channel.ts';
import { claimDue, nextDue, type ClaimedMessage } from './claim.ts';
import { mailConnections } from './email-channel.ts';
import { readSendingFacts, type SendingFacts } from './sending-facts.ts';
import { askAgainAfter, decideSending } from './decide-sending.ts';
import { Pace } from './pace.ts';
import { markFailedAttempt, markSent, markSuppressed, postpone } from './settle.ts';
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

/** Sends due messages until the service stops. */
export class Delivery {
  readonly #context: MessagesContext;
  readonly #channel: Channel;
  readonly #attemptMs: number;
  readonly #pace: Pace;
  readonly #allowance: Allowance;
  readonly #most: readonly [number, number];
  readonly #loop: BackgroundLoop;

  constructor(context: MessagesContext, channel: Channel) {
    this.#context = context;
    this.#channel = channel;
    const { SEND_TIMEOUT_SECONDS, REMINDERS_PER_SECOND } = context.settings;
    this.#attemptMs = SEND_TIMEOUT_SECONDS * 1_000 * stepsOfAttempt;
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
    // Twice the length of an attempt: one that starts in the first half ends before another replica may take the
    // message.
    const leaseMs = 2 * this.#attemptMs;
    const lastStart = performance.now() + this.#attemptMs;
    const claimed = await claimDue(this.#context, this.#most, leaseMs);
    if (claimed.length === 0) return 0;
    const facts = await readSendingFacts(this.#context, claimed);
    const queue = [...facts.messages];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        if (next.lane === 1) await this.#pace.turn(this.#context.stopping);
        if (this.#context.stopping.aborted || performance.now() > lastStart)
          await postpone(this.#context, next, new Date());
        else await this.#handle(next, facts);
      }
    };
    await Promise.all(Array.from({ length: mailConnections }, work));
    return claimed.length;
  }

  async #handle(claimed: ClaimedMessage, known: SendingFacts): Promise<void> {
    const context = this.#context;
    const isOld = Date.now() - known.now.getTime() > factsValidFor;
    const facts = isOld ? await readSendingFacts(context, [claimed]) : known;
    const [message = claimed] = isOld ? facts.messages : [];
    const { kind, visit } = message;
    // Not earlier: until this message is due, staff may take the cancellation back.
    if (kind === 'appointment-cancelled' && visit !== undefined && facts.visits?.get(visit)?.status === 'Cancelled')
      await endReminders(context, visit);
    const verdict = decideSending(message, facts, context.settings);
    if (verdict.act === 'suppress') return markSuppressed(context, message, verdict.reason);
    if (verdict.act === 'wait') return postpone(context, message, verdict.until);
    const { email } = verdict;
    const allowed = await this.#allowance.take(message, email);
    if (allowed.act === 'suppress') return markSuppressed(context, message, allowed.reason);
    if (allowed.act === 'wait') return postpone(context, message, new Date(Date.now() + askAgainAfter));
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
  }

  /** Milliseconds until a message is due, at most `pollEvery`. */
  async #untilDue(): Promise<number> {
    const due = await nextDue(this.#context);
    return Math.min(pollEvery, Math.max(0, (due?.getTime() ?? Infinity) - Date.now()));
  }
}
