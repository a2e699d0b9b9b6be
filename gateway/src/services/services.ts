import type { ServerResponse } from 'node:http';
import { publicationPath, type PublishedCall, type ServicePublication } from '@clinic/contracts/publication';
import type { Logger } from 'pino';
import { CallPlans } from '../proxy/call-plan.ts';
import type { GatewayRequest } from '../server/gateway-request.ts';
import type { StreamSource } from '../live/service-stream.ts';
import { couldBePublished } from '@clinic/contracts/schemas/publication';
import { parsePublication } from '../registry/parse-published.ts';
import type { Context } from '../context.ts';
import type { Remembered } from '../remembered.ts';
import type { Replica } from '../replicas/replica.ts';
import type { SegmentClaims } from '../registry/segment-claims.ts';
import { sendProblem } from '../server/answers.ts';
import { Troubles } from '../troubles.ts';
import { Upstream } from '../proxy/upstream.ts';

/** A service that requests are forwarded to. */
export class Service {
  readonly name: string;
  readonly upstream: Upstream;
  readonly #log: Logger;
  readonly #onChange: (service: Service) => void;
  /** The last publication of each replica. They differ during a deployment. */
  readonly #published = new Map<Replica, { readonly text: string; readonly publication: ServicePublication }>();
  readonly #troubles: Troubles<Replica>;
  readonly #remembered: Remembered;
  #known: ServicePublication | undefined;
  #plans: CallPlans;

  constructor(context: Context, name: string, urls: readonly string[], onChange: (service: Service) => void) {
    const { settings, log, remembered } = context;
    this.name = name;
    this.#log = log.child({ upstream: name });
    this.#troubles = new Troubles(this.#log, 'invalid publication, keeping the last good one');
    this.#onChange = onChange;
    this.#remembered = remembered;
    this.#known = remembered.read(name, (text) => parsePublication(text, name));
    this.#plans = new CallPlans(this.#known?.calls ?? []);
    this.upstream = new Upstream(context, {
      name,
      urls,
      audiences: [...settings.SERVICES.keys()].join(','),
      publication: {
        path: publicationPath,
        onAnswer: (replica, status, text) => this.#onPublication(replica, status, text),
      },
      onGone: (replica) => {
        this.#troubles.end(replica);
        if (this.#published.delete(replica)) this.#compose();
      },
    });
  }

  /** What it published last, in this or an earlier run of the gateway; `undefined` if it never has. */
  get publication(): ServicePublication | undefined {
    return this.#known;
  }

  /** Its name among the owners of segments. */
  get owner(): string {
    return `service ${this.name}`;
  }

  get segments(): readonly string[] {
    return this.#known?.segments ?? [];
  }

  /** Forwards a request as its call demands, and always responds. */
  send(req: GatewayRequest, res: ServerResponse): void {
    this.upstream.send(req, res, this.#plans.find(req.method ?? '', req.pathname));
  }

  #onPublication(replica: Replica, status: number, text: string): void {
    try {
      if (status !== 200) throw new Error(`status ${status}`);
      const isKnown = this.#published.get(replica)?.text === text;
      const publication = isKnown ? undefined : parsePublication(text, this.name);
      this.#troubles.end(replica);
      if (!publication) return;
      // The newest comes last, also of a replica at the address of an earlier one.
      this.#published.delete(replica);
      this.#published.set(replica, { text, publication });
      this.#compose();
    } catch (error) {
      // Keep the last good publication.
      this.#troubles.begin(replica, (error as Error).message, { replica: replica.name });
    }
  }

  /** Merges the publications of all replicas: during a deployment, the new version's calls and those of the old one. */
  #compose(): void {
    const all = [...this.#published.values()].map(({ publication }) => publication);
    const newest = all.at(-1);
    if (!newest) return;
    const segments = [...new Set(all.flatMap((one) => one.segments))];
    const calls = new Map(all.flatMap((one) => one.calls).map((call) => [`${call.method} ${call.path}`, call]));
    const before = this.#known;
    this.#known = { ...newest, segments, calls: [...calls.values()] };
    if (JSON.stringify(before) === JSON.stringify(this.#known)) return;
    this.#plans = new CallPlans(this.#known.calls);
    this.#log.info({ version: newest.version, segments }, 'service registered');
    this.#remembered.write(this.name, this.#known);
    this.#onChange(this);
  }
}

/** A call of the service that its address belongs to. */
export interface OwnedCall {
  readonly service: Service;
  readonly call: PublishedCall;
}

/** The services behind the gateway, by first path segment. */
export class Services {
  readonly all: readonly Service[];
  readonly #claims: SegmentClaims;
  readonly #log: Logger;

  /** @param onChange - called when another address belongs to a service, or no longer does */
  constructor(context: Context, onChange: () => void) {
    this.#claims = context.claims;
    this.#log = context.log;
    const changed = (service: Service): void => {
      this.#register(service);
      onChange();
    };
    this.all = [...context.settings.SERVICES].map(([name, urls]) => new Service(context, name, urls, changed));
    for (const service of this.all) this.#register(service);
  }

  /** Segments that a service claimed but didn't get. */
  rejectedOf(service: Service): readonly string[] {
    return service.segments.filter((segment) => !this.#claims.owns(service.owner, segment));
  }

  /** The addresses that services publish: first segments, and the path patterns of calls. */
  get paths(): string[] {
    return this.all.flatMap(({ segments, publication }) => [
      ...segments,
      ...(publication?.calls ?? []).map(({ path }) => path),
    ]);
  }

  /** The calls of all services, without those whose first segment belongs to somebody else. */
  get calls(): readonly OwnedCall[] {
    return this.all.flatMap((service) =>
      (service.publication?.calls ?? [])
        .filter(({ path }) => this.#has(service, path.split('/')[1] ?? ''))
        .map((call) => ({ service, call })),
    );
  }

  /** Names of the services that have never published. */
  get unpublished(): string[] {
    return this.all.flatMap(({ name, publication }) => (publication ? [] : name));
  }

  /** The change streams of all services, for live lines. */
  readonly streams = (): StreamSource[] =>
    this.calls
      .filter(({ call: { method, path, stream } }) => stream === true && method === 'GET' && !/[:*{]/.test(path))
      .map(({ service: { name, upstream }, call: { id, path } }) => ({
        call: id,
        path,
        service: name,
        replicas: upstream.replicas,
      }));

  /** Whole first segments, compared exactly: `/medicine` must not take `/medicinestore`. */
  find(segment: string): Service | undefined {
    return this.all.find((service) => this.#has(service, segment));
  }

  /** Forwards requests for the services' segments. */
  readonly handle = (req: GatewayRequest, res: ServerResponse, next: () => void): void => {
    const service = this.find(req.segment);
    if (!service) return next();
    req.target = service.name;
    service.send(req, res);
  };

  /** Whether an address that nobody owns may belong to a service that hasn't published yet. */
  mayOwn(segment: string): boolean {
    return this.unpublished.length > 0 && couldBePublished(segment) && this.#claims.ownerOf(segment) === undefined;
  }

  /** Answers requests that may be for a service that hasn't published yet, unless a page is requested. */
  readonly answerUnpublished = (req: GatewayRequest, res: ServerResponse, next: () => void): void => {
    if (!this.mayOwn(req.segment) || wantsPage(req)) return next();
    sendProblem(req, res, 'unavailable');
  };

  #has(service: Service, segment: string): boolean {
    return service.segments.includes(segment) && this.#claims.owns(service.owner, segment);
  }

  #register(service: Service): void {
    const rejected = this.#claims.claim(service.owner, service.segments);
    for (const { segment, takenBy } of rejected)
      this.#log.error({ upstream: service.name, segment, takenBy }, 'segment left out: the address is taken');
  }
}

/** Whether a browser opens an address, rather than a page's script or another program. */
function wantsPage({ method, headers }: GatewayRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true;
}
