import type { Request, RequestHandler, Router } from 'express';
import type { CallId } from '@clinic/contracts';
import type { CallTable } from '@clinic/contracts/calls';
import type { ServiceContext } from './context.ts';
import type { OnAccount } from './auth/follow-accounts.ts';
import type { JoinRecords } from './auth/join-records.ts';
import type { IndexPlan } from './database/database.ts';
import type { ProblemError } from './http/problem-error.ts';
import type { CallIdsOf, Handlers, IdToken } from './http/requests.ts';
import type { ErasePerson } from './privacy/erase-person.ts';
import type { RetentionRule } from './privacy/retention.ts';
import type { SchemaChange } from './database/schema-changes.ts';
import type { SessionSource } from './auth/session-verifier.ts';
import type { BaseSettings, SettingsOf, SettingsSpec } from './settings/settings.ts';
import type { OnStaff } from './auth/staff-list.ts';

/** A rejected request. */
export interface Rejection {
  readonly call: CallId;
  readonly problem: ProblemError;
  readonly requestId: string;
  readonly req: Request;
  /** Verified email address of the request's ID token or session; never one that the request merely names. */
  readonly provenEmail: string | undefined;
}

/** Everything specific to one service. `Parts` is what it opens at start and its handlers use. */
export interface ServiceDefinition<Name extends string, Spec extends SettingsSpec, Parts = unknown> {
  readonly name: Name;
  /** The service's calls (`defineCalls`). */
  readonly calls: CallTable;
  /** Settings in addition to those of every service, by environment variable. */
  readonly settings: Spec;
  /** Checks that the settings fit together, before anything is opened. @throws SettingsError */
  readonly checkSettings?: (settings: BaseSettings & SettingsOf<Spec>) => void;
  /** Created at start, by collection. */
  readonly indexes: IndexPlan;
  /** Data migrations, in order; each runs once, before indexes are created. */
  readonly schemaChanges?: readonly SchemaChange[];
  /** Gives an account the records filed under its confirmed email address that belong to nobody yet. */
  readonly joinRecords?: (context: ServiceContext<SettingsOf<Spec>>) => JoinRecords;
  /** Erases a deleted person from the service's own records; see {@link ErasePerson}. */
  readonly erase?: (context: ServiceContext<SettingsOf<Spec>>) => ErasePerson;
  /** Lets the service's own records follow changes of accounts, e.g. of their address; see {@link OnAccount}. */
  readonly onAccount?: (context: ServiceContext<SettingsOf<Spec>>) => OnAccount;
  /**
   * Called with all current and former staff, at start and on every change; for records that depend on staff rights.
   */
  readonly onStaff?: (context: ServiceContext<SettingsOf<Spec>>, parts: Parts) => OnStaff;
  /** One handler for each of the service's calls. */
  readonly handlers: (context: ServiceContext<SettingsOf<Spec>>, parts: Parts) => Handlers<Name>;
  /** Retention rules in addition to the kit's. */
  readonly retention?: (context: ServiceContext<SettingsOf<Spec>>) => readonly RetentionRule[];
  /**
   * Runs before the service listens, after the indexes exist, e.g. for demo data (see `seedDemoOnce`). What it returns is
   * passed to handlers, guards and the rest; the compiler infers its type if it stands before them.
   */
  readonly onStart?: (context: ServiceContext<SettingsOf<Spec>>) => Promise<Parts>;
  /** Runs when the service stops, before the database client is closed: finishes what is in flight. */
  readonly onStop?: (context: ServiceContext<SettingsOf<Spec>>, parts: Parts) => Promise<void>;
  /** Middleware in front of individual calls, e.g. rate limits. */
  readonly guards?: (
    context: ServiceContext<SettingsOf<Spec>>,
    parts: Parts,
  ) => {
    readonly [Id in CallIdsOf<Name>]?: readonly RequestHandler[];
  };
  /** Its changes cause messages (`appendOutbox`): svc-messages takes them by two internal calls. */
  readonly outbox?: true;
  /**
   * Routes below `/internal`, for other services: callers need the secret of `internalSecret`, and the gateway never
   * routes them.
   */
  readonly internalRoutes?: (router: Router, context: ServiceContext<SettingsOf<Spec>>, parts: Parts) => void;
  /** Source of keys and updates to rights, if not IDENTITY_URL. */
  readonly sessionSource?: (context: ServiceContext<SettingsOf<Spec>>, parts: Parts) => SessionSource;
  /** Called for every rejected request, before the response, with the reason. Must not throw. */
  readonly onRejection?: (context: ServiceContext<SettingsOf<Spec>>) => (rejection: Rejection) => Promise<void>;
  /** Verifies Firebase ID tokens. @throws ProblemError unauthenticated or unavailable */
  readonly verifyIdToken?: (
    context: ServiceContext<SettingsOf<Spec>>,
    parts: Parts,
  ) => (token: string) => Promise<IdToken>;
}

/** Type-checks a definition where it is written, and keeps its exact type for {@link ContextFor}. */
export function defineService<const Name extends string, const Spec extends SettingsSpec, Parts = unknown>(
  definition: ServiceDefinition<Name, Spec, Parts>,
): ServiceDefinition<Name, Spec, Parts> {
  return definition;
}

/** The context type for a service's settings: `type ClinicContext = ContextFor<typeof settings>`. */
export type ContextFor<Spec extends SettingsSpec> = ServiceContext<SettingsOf<Spec>>;
