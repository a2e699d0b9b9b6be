import type { ServerResponse } from 'node:http';
import {
  publicationOf,
  publicationPath,
  serviceContractVersion,
  type ServicePublication,
} from '@clinic/contracts/publication';
import { routes } from '@clinic/contracts/routes';
import type { Logger } from 'pino';
import { z } from 'zod';
import { CallPlans } from '../proxy/call-plan.ts';
import type { Peers } from '../cluster/peers.ts';
import type { GatewayRequest } from '../proxy/gateway-request.ts';
import { PublicLists } from '../cache/public-lists.ts';
import { Changes } from '../proxy/changes.ts';
import { publicationSchema } from './publication-schema.ts';
import type { Replica } from '../replicas/replica.ts';
import type { SegmentClaims } from './segment-claims.ts';
import { Upstream, type UpstreamOptions } from '../proxy/upstream.ts';

export interface ServicesOptions {
  /** Addresses of each service's replicas, by service name. */
  readonly services: ReadonlyMap<string, readonly string[]>;
  readonly claims: SegmentClaims;
  readonly log: Logger;
  readonly upstream: Pick<
    UpstreamOptions,
    'onFailure' | 'metrics' | 'answerWithinMs' | 'everyMs' | 'resolve' | 'workers'
  >;
  /** The gateway's other workers, if any. */
  readonly peers?: Peers | undefined;
}

/** A service that requests are forwarded to. */
export class Service {
  readonly name: string;
  readonly upstream: Upstream;
  readonly #log: Logger;
  readonly #onChange: (service: Service) => void;
  readonly #changes: Changes;
  readonly #publicLists: PublicLists;
  /** The last publication of each replica. They differ during a deployment. */
  readonly #published = new Map<
    Replica,
    { readonly text: string; readonly publication: ServicePublication | undefined }
  >();
  readonly #troubles = new Map<Replica, string>();
  #known: ServicePublication | undefined;
  #plans: CallPlans;

  constructor(
    name: string,
    urls: readonly string[],
    { log, upstream, peers }: ServicesOptions,
    onChange: (service: Service) => void,
  ) {
    this.name = name;
    this.#log = log.child({ upstream: name });
    this.#onChange = onChange;
    // For our own services, the contracts apply until the service has published its calls.
    const builtIn = Object.entries(routes).filter(([, { service }]) => service === name);
    this.#known = builtIn.length > 0 ? publicationOf(name, 'not published yet', builtIn) : undefined;
    this.#plans = new CallPlans(this.#known?.calls ?? []);
    this.upstream = new Upstream({
      ...upstream,
      name,
      urls,
      log,
      publication: {
        path: publicationPath,
        onAnswer: (replica, status, text) => this.#onPublication(replica, status, text),
      },
      onGone: (replica) => {
        this.#troubles.delete(replica);
        if (this.#published.delete(replica)) this.#compose();
      },
    });
    this.#changes = new Changes(peers?.listsOf(name));
    this.#publicLists = new PublicLists(this.upstream, this.#changes);
  }

  get segments(): readonly string[] {
    return this.#known?.segments ?? [];
  }

  /** Its published addresses: first segments and the path patterns of its calls. */
  get paths(): readonly string[] {
    return [...this.segments, ...(this.#known?.calls ?? []).map(({ path }) => path)];
  }

  get version(): string {
    return this.#known?.version ?? 'not published yet';
  }

  /** Answers a request for a public list from memory. @returns whether it could */
  answerFromMemory(req: GatewayRequest, res: ServerResponse): boolean {
    return req.method === 'GET' && this.#publicLists.answerFromMemory(req, res);
  }

  /** Forwards a request as its call demands, and always answers it. */
  send(req: GatewayRequest, res: ServerResponse): void {
    const { method = '', pathname, segment } = req;
    const plan = this.#plans.find(method, pathname, segment);
    if (method !== 'GET' && method !== 'HEAD') this.#changes.forward(res, () => this.upstream.send(req, res, plan));
    else if (plan.shared) this.#publicLists.send(req, res, plan);
    else this.upstream.send(req, res, plan);
  }

  #onPublication(replica: Replica, status: number, text: string): void {
    const before = this.#published.get(replica);
    if (before?.text === text) return;
    try {
      if (status !== 200) throw new Error(`status ${status}`);
      const checked = publicationSchema.safeParse(JSON.parse(text));
      if (!checked.success) throw new Error(z.prettifyError(checked.error).replaceAll('\n', ' '));
      const { name, contractVersion } = checked.data;
      if (name !== this.name) throw new Error(`it belongs to ${name}`);
      if (contractVersion !== serviceContractVersion)
        throw new Error(`its contract version is ${contractVersion}, not ${serviceContractVersion}`);
      this.#published.set(replica, { text, publication: checked.data });
      this.#troubles.delete(replica);
      this.#compose();
    } catch (error) {
      // Keep the last good publication.
      const reason = (error as Error).message;
      if (this.#troubles.get(replica) !== reason)
        this.#log.warn({ replica: replica.name, reason }, 'invalid publication, keeping the last good one');
      this.#troubles.set(replica, reason);
    }
  }

  /** Merges the publications of all replicas: during a deployment, the new version's calls and those of the old one. */
  #compose(): void {
    const all = [...this.#published.values()].flatMap(({ publication }) => publication ?? []);
    const newest = all.at(-1);
    if (!newest) return;
    const segments = [...new Set(all.flatMap((one) => one.segments))];
    const calls = new Map(all.flatMap((one) => one.calls).map((call) => [`${call.method} ${call.path}`, call]));
    const before = this.#known;
    this.#known = { ...newest, segments, calls: [...calls.values()] };
    if (JSON.stringify(before) === JSON.stringify(this.#known)) return;
    this.#plans = new CallPlans(this.#known.calls);
    this.#log.info({ version: newest.version, segments }, 'service registered');
    this.#onChange(this);
  }
}

/** The services behind the gateway, by first path segment. */
export class Services {
  readonly all: readonly Service[];
  readonly #claims: SegmentClaims;
  readonly #log: Logger;
  #bySegment: ReadonlyMap<string, Service> = new Map();
  #rejected: ReadonlyMap<string, readonly string[]> = new Map();
  #onChange: () => void = () => undefined;

  constructor(options: ServicesOptions) {
    this.#claims = options.claims;
    this.#log = options.log;
    this.all = [...options.services].map(
      ([name, urls]) => new Service(name, urls, options, (service) => this.#register(service)),
    );
    for (const service of this.all) this.#register(service);
  }

  /** Registers the callback for changes of ownership. */
  onChange(call: () => void): void {
    this.#onChange = call;
  }

  /** Segments that a service claimed but didn't get, by service name. */
  get rejected(): ReadonlyMap<string, readonly string[]> {
    return this.#rejected;
  }

  /** The addresses that services publish. */
  get paths(): string[] {
    return this.all.flatMap(({ paths }) => paths);
  }

  /** Whole first segments, compared exactly: `/medicine` must not take `/medicinestore`. */
  find(segment: string): Service | undefined {
    return this.#bySegment.get(segment);
  }

  /** Answers a request for a public list from memory. @returns whether it could */
  readonly answerFromMemory = (req: GatewayRequest, res: ServerResponse): boolean => {
    const service = this.find(req.segment);
    if (!service?.answerFromMemory(req, res)) return false;
    req.target = service.name;
    return true;
  };

  /** Forwards requests for the services' segments. */
  readonly answer = (req: GatewayRequest, res: ServerResponse, next: () => void): void => {
    const service = this.find(req.segment);
    if (!service) return next();
    req.target = service.name;
    service.send(req, res);
  };

  /** Call this after others have claimed or released segments. */
  share(): void {
    const owns =
      (service: Service) =>
      (segment: string): boolean =>
        this.#claims.owns(ownerOf(service), segment);
    this.#bySegment = new Map(
      this.all.flatMap((service) =>
        service.segments.filter(owns(service)).map((segment) => [segment, service] as const),
      ),
    );
    const rejected = this.all.map(
      (service) => [service.name, service.segments.filter((segment) => !owns(service)(segment))] as const,
    );
    this.#rejected = new Map(rejected.filter(([, segments]) => segments.length > 0));
  }

  stop(): void {
    for (const { upstream } of this.all) upstream.replicas.stop();
  }

  #register(service: Service): void {
    const rejected = this.#claims.claim(ownerOf(service), service.segments);
    for (const { segment, takenBy } of rejected)
      this.#log.error({ upstream: service.name, segment, takenBy }, 'segment left out: the address is taken');
    this.share();
    this.#onChange();
  }
}

function ownerOf({ name }: Service): string {
  return `service ${name}`;
}
