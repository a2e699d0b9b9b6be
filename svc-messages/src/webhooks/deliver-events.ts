import { BackgroundLoop } from '@clinic/service-kit';
import { claim } from '../delivery/claim.ts';
import { askAgainAfter } from '../delivery/verdict.ts';
import type { MessagesContext } from '../settings.ts';
import { visitsUnlessUnavailable } from '../visits/visit-calls.ts';
import { postEvent, postTimeout } from './post-event.ts';
import { isTakenBack } from './queue-deliveries.ts';
import { deliveriesOf, webhooksOf, type DeliveryRecord, type WebhookRecord } from './webhook-record.ts';
import { signingSecrets } from './webhook-secrets.ts';

/** Maximum deliveries in flight per webhook and replica. */
const mostInFlight = 5;

/** Milliseconds after which another replica may take over a delivery. */
const leaseMs = 2 * postTimeout;

/** Milliseconds between polls for retries, and for deliveries that other replicas left behind. */
const pollEvery = 2_000;

/** Maximum length of a stored error text. */
const mostText = 300;

/** Delivers events to webhooks until the service stops; a slow webhook doesn't hold up the others. */
export class EventDelivery {
  readonly #context: MessagesContext;
  readonly #working = new Map<string, Promise<void>>();
  readonly #loop: BackgroundLoop;
  /** The first failure since the last run. */
  #failure: unknown;

  constructor(context: MessagesContext) {
    this.#context = context;
    const work = (): Promise<void> => this.#startAll();
    this.#loop = new BackgroundLoop(context, { what: 'delivery to webhooks', work, every: pollEvery });
  }

  /** Call it when there are new deliveries. */
  wake = (): void => this.#loop.wake();

  /** Runs until the service stops. */
  async run(): Promise<void> {
    await this.#loop.run();
    await Promise.all(this.#working.values());
  }

  async #startAll(): Promise<void> {
    for (const webhook of await webhooksOf(this.#context).find({ enabled: true }).toArray()) this.#start(webhook);
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  /** Deliveries in flight when it fails are retried once their leases expire. */
  #start(webhook: WebhookRecord): void {
    const id = webhook._id.toHexString();
    if (this.#working.has(id)) return;
    const work = this.#deliverDue(webhook)
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#working.delete(id));
    this.#working.set(id, work);
  }

  async #deliverDue(webhook: WebhookRecord): Promise<void> {
    let current: WebhookRecord | null = webhook;
    while (current?.enabled && !this.#context.stopping.aborted) {
      const to: WebhookRecord = current;
      const claimed = await claim(deliveriesOf(this.#context), { webhook: to._id }, mostInFlight, leaseMs);
      if (claimed.length === 0) return;
      await Promise.all((await this.#stillTrue(claimed)).map((delivery) => this.#deliver(to, delivery)));
      // It may have been changed or paused meanwhile.
      current = await webhooksOf(this.#context).findOne({ _id: to._id });
    }
  }

  /** Without what staff have taken back, which was never an event, and what svc-clinic can't be asked about now. */
  async #stillTrue(claimed: readonly DeliveryRecord[]): Promise<readonly DeliveryRecord[]> {
    // Later attempts repeat what a receiver may have heard.
    const held = claimed.filter(({ visit, attempts }) => visit !== undefined && attempts === 1);
    if (held.length === 0) return claimed;
    const ids = held.map(({ visit }) => visit?.id ?? '');
    const visits = await visitsUnlessUnavailable(this.#context, ids);
    const left = held.filter(({ visit }) => {
      const now = visits?.get(visit?.id ?? '');
      return !visits || (visit && now && isTakenBack(visit, now));
    });
    const them = { _id: { $in: left.map(({ _id }) => _id) }, lease: { $in: left.map(({ lease = '' }) => lease) } };
    const askedAgainAt = new Date(Date.now() + askAgainAfter);
    if (visits) await deliveriesOf(this.#context).deleteMany(them);
    else
      await deliveriesOf(this.#context).updateMany(them, {
        $set: { nextAttemptAt: askedAgainAt },
        $unset: { lease: '' },
        $inc: { attempts: -1 },
      });
    return claimed.filter((delivery) => !left.includes(delivery));
  }

  async #deliver(webhook: WebhookRecord, delivery: DeliveryRecord): Promise<void> {
    try {
      const secrets = signingSecrets(this.#context, webhook, new Date());
      const status = await postEvent({ url: webhook.url, secrets }, delivery, this.#context.settings.WEBHOOK_PRIVATE);
      if (status >= 200 && status < 300) return await this.#end(delivery, { lastStatus: status });
      await this.#retry(delivery, { lastStatus: status, lastError: `The address answered ${status}` });
    } catch (error) {
      await this.#retry(delivery, { lastError: (error as Error).message.replaceAll(/\s+/g, ' ').slice(0, mostText) });
    }
  }

  async #retry(delivery: DeliveryRecord, outcome: Pick<DeliveryRecord, 'lastStatus' | 'lastError'>): Promise<void> {
    const minutes = this.#context.settings.RETRY_MINUTES[delivery.attempts - 1];
    if (minutes === undefined) return this.#end(delivery, outcome);
    await this.#settle(delivery, { ...outcome, nextAttemptAt: new Date(Date.now() + minutes * 60_000) });
  }

  /** Result of an attempt: delivered unless it has an error. */
  #end(delivery: DeliveryRecord, outcome: Pick<DeliveryRecord, 'lastStatus' | 'lastError'>): Promise<void> {
    const status = outcome.lastError === undefined ? 'delivered' : 'failed';
    return this.#settle(delivery, { ...outcome, status, endedAt: new Date() });
  }

  /** Records an attempt's outcome, unless its lease has passed to another replica. */
  async #settle({ _id, lease }: DeliveryRecord, set: Partial<DeliveryRecord>): Promise<void> {
    await deliveriesOf(this.#context).updateOne(
      { _id, status: 'pending', ...(lease !== undefined && { lease }) },
      { $set: set, $unset: { lease: '', ...(set.lastError === undefined && { lastError: '' }) } },
    );
  }
}
