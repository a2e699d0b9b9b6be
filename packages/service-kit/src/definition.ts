import type { Request, RequestHandler, Router } from 'express';
import type { CallId } from '@clinic/contracts';
import type { CallTable } from '@clinic/contracts/calls';
import type { ServiceContext } from './context.ts';
import type { JoinRecords } from './contacts.ts';
import type { IndexPlan } from './database.ts';
import type { ProblemError } from './problem-error.ts';
import type { CallIdsOf, Handlers, IdToken } from './requests.ts';
import type { RetentionRule } from './retention.ts';
import type { SchemaChange } from './schema-changes.ts';
import type { SessionSource } from './session-verifier.ts';
import type { BaseSettings, SettingsOf, SettingsSpec } from './settings.ts';
import type { OnStaff } from './staff-list.ts';

/** A request that was not let in. */
export interface Refusal {
  readonly call: CallId;
  readonly problem: ProblemError;
  readonly requestId: string;
  readonly req: Request;
  /** E-mail address of the ID token or session that the request brought and that was found good; never one that it merely names. */
  readonly provenEmail: string | undefined;
}

/** Everything that makes one service different from the others. */
export interface ServiceDefinition<Name extends string, Spec extends SettingsSpec> {
  readonly name: Name;
  /** The service's calls, where the product's contracts don't have them: a domain with a table of its own. */
  readonly calls?: CallTable;
  /** Settings beside those every service has, by the name of their environment variable. */
  readonly settings: Spec;
  /** Looks whether they fit together, before anything is opened. @throws SettingsError */
  readonly checkSettings?: (settings: BaseSettings & SettingsOf<Spec>) => void;
  /** Created at start, by collection. */
  readonly indexes: IndexPlan;
  /** Changes of what the database holds, in order; each is made once, before indexes are created. */
  readonly schemaChanges?: readonly SchemaChange[];
  /** Gives an account the records that stand under its confirmed e-mail address and belong to nobody yet. */
  readonly joinRecords?: (context: ServiceContext<SettingsOf<Spec>>) => JoinRecords;
  /** Is given everyone who is or was staff, at start and whenever that changes; for records that staff rights hang on. */
  readonly onStaff?: (context: ServiceContext<SettingsOf<Spec>>) => OnStaff;
  /** One handler for each of the service's calls. */
  readonly handlers: (context: ServiceContext<SettingsOf<Spec>>) => Handlers<Name>;
  /** What the service keeps for a time only, beside what the kit keeps. */
  readonly retention?: (context: ServiceContext<SettingsOf<Spec>>) => readonly RetentionRule[];
  /** Runs before the service listens, when the indexes are there, e.g. for demo data (see `seedDemoOnce`). */
  readonly onStart?: (context: ServiceContext<SettingsOf<Spec>>) => Promise<void>;
  /** Middleware in front of single calls, e.g. rate limits. */
  readonly guards?: (context: ServiceContext<SettingsOf<Spec>>) => { readonly [Id in CallIdsOf<Name>]?: readonly RequestHandler[] };
  /** Paths below `/internal`, for other services: callers need the secret of `internalSecret`, and the gateway routes none. */
  readonly internalRoutes?: (router: Router, context: ServiceContext<SettingsOf<Spec>>) => void;
  /** Where keys and changed rights come from, when not from IDENTITY_URL. */
  readonly sessionSource?: (context: ServiceContext<SettingsOf<Spec>>) => Promise<SessionSource>;
  /** Is told of every request that was refused, before it is answered, and what for. Must not throw. */
  readonly onRefusal?: (context: ServiceContext<SettingsOf<Spec>>) => (refusal: Refusal) => Promise<void>;
  /** Verifies Firebase ID tokens. @throws ProblemError unauthenticated or unavailable */
  readonly verifyIdToken?: (context: ServiceContext<SettingsOf<Spec>>) => (token: string) => Promise<IdToken>;
}

/** Checks a definition where it is written, and keeps its exact type for `ContextOf`. */
export function defineService<const Name extends string, const Spec extends SettingsSpec>(
  definition: ServiceDefinition<Name, Spec>,
): ServiceDefinition<Name, Spec> {
  return definition;
}

/** The context that a service's settings lead to: `type ClinicContext = ContextFor<typeof settings>`. */
export type ContextFor<Spec extends SettingsSpec> = ServiceContext<SettingsOf<Spec>>;
